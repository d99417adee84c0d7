package io.libspeech;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The number of an object of the native library. It is freed once: when it is closed, or when the Java object that owns it can no
 * longer be reached.
 *
 * <p>{@code java.lang.ref.Cleaner} does the same, and is not there on Java 8 and older versions of Android. The thread that frees
 * ends when there is nothing left for it to watch, so that it does not keep a class loader.
 */
final class Handle extends PhantomReference<Object> {
    /** How often a thread without work looks whether it is still needed, in milliseconds. */
    private static final long IDLE = 1_000;

    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static final Set<Handle> OPEN = new HashSet<>();
    private static @Nullable Thread reaper;

    private final long number;
    /** The call that frees it. It is made beforehand, for there may be no memory when it is needed. */
    private final byte[] free;

    private Handle(Object owner, long number) {
        super(owner, QUEUE);
        this.number = number;
        this.free = new Call("free").put("handle", number).toByteArray();
    }

    /** The number of an answer, which is freed after its owner. */
    static Handle of(Object owner, Fields answer) {
        Handle handle = new Handle(owner, answer.longValue("handle"));
        synchronized (OPEN) {
            OPEN.add(handle);
            if (reaper == null) {
                Thread thread = new Thread(Handle::reap, "libspeech-reaper");
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
                reaper = thread;
            }
        }
        return handle;
    }

    long number() {
        return number;
    }

    /** Frees it now. Any thread may call it, any number of times. */
    void close() {
        synchronized (OPEN) {
            if (!OPEN.remove(this)) {
                return;
            }
        }
        Native.get().call(null, free, null, null);
    }

    private static void reap() {
        while (true) {
            try {
                Object unreachable = QUEUE.remove(IDLE);
                if (unreachable != null) {
                    ((Handle) unreachable).close();
                    continue;
                }
            } catch (InterruptedException | OutOfMemoryError ignored) {
                continue;
            }
            synchronized (OPEN) {
                if (OPEN.isEmpty()) {
                    reaper = null;
                    return;
                }
            }
        }
    }
}
