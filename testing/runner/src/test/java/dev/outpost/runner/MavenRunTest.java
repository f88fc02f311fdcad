package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MavenRunTest {
    private static final long GIB = 1L << 30;

    @Test
    void oneMoreJvmThanProcessorsRunsWhereTheMemorySuffices() {
        assertEquals(3, MavenRun.jvms(2, 16 * GIB));
        assertEquals(2, MavenRun.jvms(2, 14 * GIB));
        assertEquals(2, MavenRun.jvms(2, 0));
        assertEquals(4, MavenRun.jvms(16, 128 * GIB));
    }
}
