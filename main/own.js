'use strict'
// Objects of a caller, read once. Only what is their own counts: what stands on a prototype, say one
// that other code has written on, was not said by anybody.

/** Stands for what could not be read; it is no value of any argument. */
const UNREADABLE = Symbol('unreadable')

/** Those of these properties that the object has itself; anything but an object as it is. */
function own(value, names) {
  if (!isObject(value)) return value
  const copy = Object.create(null)
  for (const name of names) copy[name] = read(value, name)
  return copy
}

function read(value, name) {
  try {
    return Object.hasOwn(value, name) ? value[name] : undefined
  } catch {
    return UNREADABLE
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !isArray(value)
}

/** A proxy that was revoked is none, and throws when asked. */
function isArray(value) {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Whether it has this method, on a prototype as well. */
function hasMethod(value, name) {
  try {
    return typeof value?.[name] === 'function'
  } catch {
    return false
  }
}

module.exports = { hasMethod, isArray, isObject, own, read }
