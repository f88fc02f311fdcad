package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownRegistryTest {
    private final List<String> back = new ArrayList<>();
    private final ShutdownRegistry holdings = new ShutdownRegistry();

    @Test
    void lastRegisteredIsReleasedFirst() {
        holdings.add(() -> back.add("client"));
        holdings.add(() -> back.add("machine"));
        holdings.add(() -> back.add("watch"));
        holdings.close();
        assertEquals(List.of("watch", "machine", "client"), back);
    }

    @Test
    void releasedMachineIsNotReleasedAgain() {
        holdings.add(() -> back.add("client"));
        holdings.close();
        holdings.close();
        assertEquals(List.of("client"), back);
    }

    @Test
    void failedReleaseDoesNotStopTheOthers() {
        holdings.add(() -> back.add("client"));
        holdings.add(() -> {
            throw new IllegalStateException("stuck");
        });
        assertThrows(IllegalStateException.class, holdings::close);
        assertEquals(List.of("client"), back);
    }
}
