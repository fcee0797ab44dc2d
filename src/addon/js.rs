//! A JavaScript value as an [`Untrusted`] one. Each method is one Node-API read; nothing here
//! decides what is read.
#![allow(unsafe_code, reason = "Node-API is a C interface")]

use std::ffi::CStr;
use std::ptr;

use napi::bindgen_prelude::{JsValue, Unknown};
use napi::sys;

use crate::untrusted::{Kind, Untrusted};

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
        // One more for the zero that Node-API ends the text with.
        let mut buffer = vec![0_u16; self.units() + 1];
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
        let units = buffer.get(..written)?;
        if units.iter().all(|unit| *unit < 0x80) {
            // Most texts are ASCII, and each unit is a byte; this is far faster than decoding.
            let bytes = units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
            return String::from_utf8(bytes).ok();
        }
        String::from_utf16(units).ok()
    }
}
