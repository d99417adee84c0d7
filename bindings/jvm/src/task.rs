//! Tasks on the library's own threads, which end in a callback of Java.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use jni::objects::{Global, JByteBuffer, JObject, JValue};
use jni::{Env, JavaVM, jni_sig, jni_str};
use speech_bindings::catch_panic;
use speech_core::Result;

use crate::boundary::{answered, refused};

/// The answer of a task.
pub(crate) struct Answer {
    pub(crate) fields: Vec<u8>,
    /// The audio, for which Java creates a buffer.
    pub(crate) sound: Option<Sound>,
}

/// Samples, and their bytes in the encoding of the request, unless that is `pcm16`.
pub(crate) struct Sound {
    pub(crate) samples: Vec<i16>,
    pub(crate) encoded: Vec<u8>,
}

impl From<Vec<u8>> for Answer {
    fn from(fields: Vec<u8>) -> Self {
        Self { fields, sound: None }
    }
}

/// An answer without content: an object without fields.
pub(crate) fn nothing() -> Vec<u8> {
    b"{}".to_vec()
}

/// The callback of a task, shared by the two places that may call it; the first takes it.
type Pending = Arc<Mutex<Option<Global<JObject<'static>>>>>;

/// Runs a task on one of the library's own threads, and then calls the method `complete` of a
/// `Completion`, once.
///
/// A task that still runs when the virtual machine ends is not waited for, and its completion is
/// never called.
pub(crate) fn spawn(
    env: &mut Env<'_>,
    completion: &JObject<'_>,
    task: impl FnOnce() -> Result<Answer> + Send + 'static,
) -> Result<()> {
    let vm = env.get_java_vm().map_err(refused)?;
    let completion = env.new_global_ref(completion).map_err(refused)?;
    let pending: Pending = Arc::new(Mutex::new(Some(completion)));
    let for_thread = Arc::clone(&pending);
    let body = move || {
        let result = catch_panic(task).flatten();
        attach(&vm, |env| complete(env, &for_thread, result));
    };
    if let Err(error) = speech_bindings::spawn(body) {
        complete(env, &pending, Err(error));
    }
    Ok(())
}

/// The number of attempts to attach a thread to Java, with [`PAUSE`] after each rejection: a minute
/// in total.
const ATTEMPTS: u32 = 600;
const PAUSE: Duration = Duration::from_millis(100);

/// Runs `body` on this thread, attached to Java.
///
/// The virtual machine refuses to attach a thread while it is out of memory, and once it ends. In
/// the first case a caller waits for the result; in the second nobody does, and `body` does not
/// run.
fn attach(vm: &JavaVM, body: impl FnOnce(&mut Env<'_>)) {
    let mut body = Some(body);
    for _ in 0..ATTEMPTS {
        let attached = vm.attach_current_thread_for_scope(|env| {
            if let Some(body) = body.take() {
                body(env);
            }
            Ok::<_, jni::errors::Error>(())
        });
        if attached.is_ok() {
            return;
        }
        thread::sleep(PAUSE);
    }
}

fn complete(env: &mut Env<'_>, pending: &Pending, result: Result<Answer>) {
    let Some(completion) = pending.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        return;
    };
    let (fields, sound) = match result {
        Ok(Answer { fields, sound }) => (Ok(fields), sound),
        Err(error) => (Err(error), None),
    };
    let Err(error) = call(env, &completion, &answered(fields), sound.as_ref()) else { return };
    // Java may be out of memory for the answer. The waiting caller must still receive an answer.
    env.exception_clear();
    if call(env, &completion, &answered(Err(refused(error))), None).is_err() {
        env.exception_clear();
        let _ = call_with(env, &completion, &JObject::null(), &JObject::null());
        env.exception_clear();
    }
}

fn call(
    env: &mut Env<'_>,
    completion: &JObject<'_>,
    fields: &[u8],
    sound: Option<&Sound>,
) -> jni::errors::Result<()> {
    let fields = env.byte_array_from_slice(fields)?;
    let buffer = match sound {
        Some(sound) => buffer(env, completion, sound)?,
        None => JObject::null(),
    };
    call_with(env, completion, &fields, &buffer)
}

fn call_with(
    env: &mut Env<'_>,
    completion: &JObject<'_>,
    fields: &JObject<'_>,
    buffer: &JObject<'_>,
) -> jni::errors::Result<()> {
    let signature = jni_sig!("([BLjava/nio/ByteBuffer;)V");
    let arguments = [JValue::Object(fields), JValue::Object(buffer)];
    env.call_method(completion, jni_str!("complete"), signature, &arguments).map(drop)
}

/// Copies the audio to a direct buffer owned by Java: the samples as little-endian bytes, followed
/// by those in another encoding.
///
/// Memory of the library behind a buffer could be freed while Java still reads the buffer or a
/// slice of it. So the audio is copied, once. The completion allocates the buffer, because it
/// depends on the virtual machine which classes one of the library's threads can find by name.
fn buffer<'local>(
    env: &mut Env<'local>,
    completion: &JObject<'_>,
    Sound { samples, encoded }: &Sound,
) -> jni::errors::Result<JObject<'local>> {
    let length = size_of_val(&samples[..]) + encoded.len();
    let signature = jni_sig!("(I)Ljava/nio/ByteBuffer;");
    let arguments = [JValue::Int(length as i32)];
    let allocated = env.call_method(completion, jni_str!("allocate"), signature, &arguments)?;
    // SAFETY: by its signature the method returns an object of this class.
    let buffer = unsafe { JByteBuffer::from_raw(env, allocated.l()?.into_raw()) };
    let address = env.get_direct_buffer_address(&buffer)?;
    let capacity = env.get_direct_buffer_capacity(&buffer)?;
    // SAFETY: the virtual machine returned the address and length of the memory, which `buffer`
    // keeps. The buffer was just allocated and zeroed, and nothing else refers to it yet.
    let bytes = unsafe { std::slice::from_raw_parts_mut(address, capacity) };
    let (pcm, rest) = bytes.split_at_mut(size_of_val(&samples[..]));
    for (place, sample) in pcm.as_chunks_mut().0.iter_mut().zip(samples) {
        *place = sample.to_le_bytes();
    }
    rest.copy_from_slice(encoded);
    Ok(buffer.into())
}
