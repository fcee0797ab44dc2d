//! Node-API calls that the safe binding does not offer as we need them: a JavaScript value as an
//! [`Untrusted`] one, and exceptions that stay where they are. Nothing here decides what is read.
#![allow(unsafe_code, reason = "Node-API is a C interface")]

use std::ffi::{CStr, CString};
use std::ptr;

use napi::bindgen_prelude::{ClassInstance, Env, FromNapiValue, JsValue, ObjectFinalize, Unknown};
use napi::{Status, sys};

use crate::untrusted::{Kind, Untrusted, start_of};

/// A value that lives as long as the call it was passed to.
#[derive(Clone, Copy)]
pub(super) struct Js<'env>(Unknown<'env>);

impl<'env> From<Unknown<'env>> for Js<'env> {
    fn from(value: Unknown<'env>) -> Self {
        Self(value)
    }
}

impl Js<'_> {
    fn env(self) -> sys::napi_env {
        self.0.value().env
    }

    fn raw(self) -> sys::napi_value {
        self.0.raw()
    }

    /// The value of a read that may have run foreign code. An exception that code threw is taken
    /// off the environment here, so that it does not surface later.
    fn read(self, status: sys::napi_status, value: sys::napi_value) -> Option<Self> {
        if status == sys::Status::napi_ok {
            // SAFETY: Node-API has just returned `value` for this very environment.
            return Some(Self(unsafe { Unknown::from_raw_unchecked(self.env(), value) }));
        }
        // Whatever the status says: a getter that throws is reported as a general failure.
        let mut exception = ptr::null_mut();
        // SAFETY: the environment is live; the exception is dropped on purpose.
        unsafe { sys::napi_get_and_clear_last_exception(self.env(), &raw mut exception) };
        None
    }
}

impl Untrusted for Js<'_> {
    fn kind(self) -> Kind {
        let (env, value) = (self.env(), self.raw());
        let mut kind = 0;
        // SAFETY, here and below: environment and value belong to the running call, and every
        // out-pointer is to a local of the type that the function writes.
        if unsafe { sys::napi_typeof(env, value, &raw mut kind) } != sys::Status::napi_ok {
            return Kind::Other;
        }
        match kind {
            sys::ValueType::napi_undefined => Kind::Undefined,
            sys::ValueType::napi_null => Kind::Null,
            sys::ValueType::napi_boolean => {
                let mut boolean = false;
                unsafe { sys::napi_get_value_bool(env, value, &raw mut boolean) };
                Kind::Boolean(boolean)
            }
            sys::ValueType::napi_number => {
                let mut number = f64::NAN;
                unsafe { sys::napi_get_value_double(env, value, &raw mut number) };
                Kind::Number(number)
            }
            sys::ValueType::napi_string => Kind::Text,
            sys::ValueType::napi_object => {
                let mut is_list = false;
                unsafe { sys::napi_is_array(env, value, &raw mut is_list) };
                if is_list { Kind::List } else { Kind::Object }
            }
            _ => Kind::Other,
        }
    }

    fn field(self, name: &'static CStr) -> Option<Self> {
        let mut value = ptr::null_mut();
        // SAFETY: as in `kind`; `name` ends with a zero byte.
        let status = unsafe {
            sys::napi_get_named_property(self.env(), self.raw(), name.as_ptr(), &raw mut value)
        };
        self.read(status, value)
    }

    fn length(self) -> usize {
        let mut length = 0;
        // SAFETY: as in `kind`; on anything but a list the function writes nothing.
        unsafe { sys::napi_get_array_length(self.env(), self.raw(), &raw mut length) };
        length as usize
    }

    fn item(self, index: usize) -> Option<Self> {
        let index = u32::try_from(index).ok()?;
        let mut value = ptr::null_mut();
        // SAFETY: as in `kind`.
        let status =
            unsafe { sys::napi_get_element(self.env(), self.raw(), index, &raw mut value) };
        self.read(status, value)
    }

    fn units(self) -> usize {
        let mut units = 0;
        // SAFETY: as in `kind`; without a buffer only the length is written, and on anything but
        // a text nothing is.
        unsafe {
            sys::napi_get_value_string_utf16(
                self.env(),
                self.raw(),
                ptr::null_mut(),
                0,
                &raw mut units,
            );
        }
        units
    }

    fn text(self) -> Option<String> {
        let units = self.copy(self.units())?;
        if units.iter().all(|unit| *unit < 0x80) {
            // Most texts are ASCII, and each unit is a byte; this is far faster than decoding.
            let bytes = units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
            return String::from_utf8(bytes).ok();
        }
        String::from_utf16(&units).ok()
    }

    fn start(self, units: usize) -> Option<String> {
        let units = self.copy(units.min(self.units()))?;
        Some(start_of(&units, units.len() < self.units()))
    }
}

impl<'env> Js<'env> {
    /// The object of the addon's own that this is; `None` of anything else, whatever its prototype
    /// says.
    pub(super) fn instance<T: ObjectFinalize + 'static>(self) -> Option<ClassInstance<'env, T>>
    where
        ClassInstance<'env, T>: FromNapiValue,
    {
        // SAFETY: environment and value belong to the running call. The binding checks the tag that
        // it has put on every object of the class.
        unsafe { ClassInstance::from_napi_value(self.env(), self.raw()) }.ok()
    }
}

impl Js<'_> {
    /// The first `units` UTF-16 units of a text; `None` of anything else.
    fn copy(self, units: usize) -> Option<Vec<u16>> {
        // One more for the zero that Node-API ends the text with.
        let mut buffer = vec![0_u16; units + 1];
        let mut written = 0;
        // SAFETY: as in `kind`; `buffer` has the length that is passed with it.
        let status = unsafe {
            sys::napi_get_value_string_utf16(
                self.env(),
                self.raw(),
                buffer.as_mut_ptr(),
                buffer.len(),
                &raw mut written,
            )
        };
        if status != sys::Status::napi_ok {
            return None;
        }
        buffer.truncate(written);
        Some(buffer)
    }
}

/// Calls a function with one text. An exception it throws stays pending, to surface as it is.
///
/// The binding's own call would take the exception off and read its parts, which can throw again:
/// where the stack is nearly used up that recursion ends the process.
pub(super) fn call<'env>(
    env: &'env Env,
    function: &impl JsValue<'env>,
    text: &str,
) -> napi::Result<Unknown<'env>> {
    let argument = env.create_string(text)?.raw();
    let (mut this, mut result) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: environment, function and argument belong to the running call; one argument is
    // announced and one is passed; out-pointers are to locals of the type that is written.
    unsafe {
        sys::napi_get_undefined(env.raw(), &raw mut this);
        let status = sys::napi_call_function(
            env.raw(),
            this,
            function.raw(),
            1,
            &raw const argument,
            &raw mut result,
        );
        if status != sys::Status::napi_ok {
            return Err(pending());
        }
        Ok(Unknown::from_raw_unchecked(env.raw(), result))
    }
}

/// Throws a `TypeError` with a `code` and returns what stands for it on the way out.
pub(super) fn throw_type_error(env: Env, code: &str, message: &str) -> napi::Error {
    // Neither holds a zero byte; both are written in this crate.
    let code = CString::new(code).unwrap_or_default();
    let message = CString::new(message).unwrap_or_default();
    // SAFETY: the environment is live, and both texts end with a zero byte.
    unsafe { sys::napi_throw_type_error(env.raw(), code.as_ptr(), message.as_ptr()) };
    pending()
}

/// An exception is pending; the binding passes it on untouched.
fn pending() -> napi::Error {
    napi::Error::new(Status::PendingException, "an exception is pending".to_owned())
}
