package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownRegistryTest {
    private final List<String> back = new ArrayList<>();
    private final ShutdownRegistry shutdown = new ShutdownRegistry();

    @Test
    void lastRegisteredIsReleasedFirst() {
        shutdown.add(() -> back.add("client"));
        shutdown.add(() -> back.add("machine"));
        shutdown.add(() -> back.add("watch"));
        shutdown.close();
        assertEquals(List.of("watch", "machine", "client"), back);
    }

    @Test
    void releasedMachineIsNotReleasedAgain() {
        shutdown.add(() -> back.add("client"));
        shutdown.close();
        shutdown.close();
        assertEquals(List.of("client"), back);
    }

    @Test
    void failedReleaseDoesNotStopTheOthers() {
        shutdown.add(() -> back.add("client"));
        shutdown.add(() -> {
            throw new IllegalStateException("stuck");
        });
        assertThrows(IllegalStateException.class, shutdown::close);
        assertEquals(List.of("client"), back);
    }
}
