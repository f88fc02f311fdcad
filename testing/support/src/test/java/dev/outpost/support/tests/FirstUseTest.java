package dev.outpost.support.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class FirstUseTest {
    private final AtomicInteger done = new AtomicInteger();

    /** The package has no class of this name, as before it is generated. */
    private static void generate(Class<?> fresh, String name) {
        String generated = FirstUseTest.class.getPackageName() + "." + name;
        assertThrows(ClassNotFoundException.class, () -> fresh.getClassLoader().loadClass(generated));
    }

    /** Code may guard its first use by a lock instead of a monitor. */
    @Test
    void aSecondThreadThatWaitsForALockIsFoundWaiting() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        FirstUse.byTwoThreads(FirstUseTest.class, fresh -> {
            lock.lock();
            try {
                generate(fresh, "First");
                generate(fresh, "Second");
                done.incrementAndGet();
            } finally {
                lock.unlock();
            }
        });
        assertEquals(2, done.get());
    }

    @Test
    void aSecondThreadThatFailsIsTold() {
        AssertionError told = assertThrows(
                AssertionError.class,
                () -> FirstUse.byTwoThreads(FirstUseTest.class, fresh -> {
                    if (Thread.currentThread().getName().equals("second-user")) {
                        throw new IllegalStateException("too early");
                    }
                    generate(fresh, "First");
                    generate(fresh, "Second");
                }));
        assertEquals("too early", told.getCause().getMessage());
    }
}
