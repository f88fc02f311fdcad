package dev.outpost.runtime.server;

import dev.outpost.support.tests.FirstUse;
import java.lang.reflect.Method;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuntimeVariablesTest {
    /** The members of a group start at the same time. A failure in one of them would be permanent in this JVM. */
    @Test
    void theFirstConfigurationIsReadByOneThreadAtATime() throws Exception {
        FirstUse.byTwoThreads(RuntimeVariables.class, fresh -> {
            Method read = fresh.getDeclaredMethod("read", Map.class);
            read.setAccessible(true);
            read.invoke(null, Map.of());
        });
    }
}
