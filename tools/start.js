'use strict'
// `npm start`: builds what is missing, then the demo in the terminal.

require('./run.js').ensureBuilt()
require('../demo/terminal.js').main(process.argv.slice(2))
