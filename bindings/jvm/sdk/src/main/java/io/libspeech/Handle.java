package io.libspeech;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The number of an object of the native library. The object is freed once: when the handle is
 * closed, or when the Java object that owns it becomes unreachable.
 *
 * <p>{@code java.lang.ref.Cleaner} does the same, but is missing in Java 8 and older versions of
 * Android. The thread that frees objects ends when it has none left to watch, so that it does not
 * keep a class loader alive.
 */
final class Handle extends PhantomReference<Object> {
    /** The interval at which an idle thread checks whether it is still needed, in milliseconds. */
    private static final long IDLE = 1_000;

    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static final Set<Handle> OPEN = new HashSet<>();
    private static @Nullable Thread reaper;

    private final long number;
    /**
     * The call that frees the object, prepared in advance, as there may be no memory for it later.
     */
    private final byte[] free;

    private Handle(Object owner, long number) {
        super(owner, QUEUE);
        this.number = number;
        this.free = new Call("free").put("handle", number).toByteArray();
    }

    /** The handle of the object in an answer. The object is freed after its owner. */
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

    /** Frees the object now. Thread-safe and idempotent. */
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
