'use strict'
// Rows of the same fields as a Markdown table.

function table(lines) {
  const heads = Object.keys(lines[0])
  const text = (value) => (value === true ? 'yes' : value === false ? 'NO' : `${value ?? ''}`)
  const row = (cells) => `| ${cells.join(' | ')} |`
  const body = lines.map((line) => row(heads.map((head) => text(line[head]))))
  return ['', row(heads), row(heads.map(() => '---')), ...body, ''].join('\n')
}

module.exports = { table }
