'use strict'
// What the tests with a real Pi look for.

/** What our extension tells the model: for each question its text and the labels. */
const answered = (...lines) => ['The user answered.', ...lines].join('\n')

module.exports = { answered }
