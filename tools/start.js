'use strict'
// `npm start` and `npm run start:room`: builds what is missing, then the demo in the terminal.

require('./run.js').ensureBuilt()
const [first, ...rest] = process.argv.slice(2)
if (first === 'room') require('../demo/discord/main.js').main()
else require('../demo/terminal.js').main(first === undefined ? [] : [first, ...rest])
