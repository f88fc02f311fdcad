package dev.outpost.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class BackendChoiceTest {
    private static final byte[] ID = {1, -2, 3};

    private static Optional<DeviceOffer> offer(String library, String device, byte... id) {
        return Optional.of(new DeviceOffer(library, device, id.length == 0 ? Optional.empty() : Optional.of(id)));
    }

    private static String text(List<Optional<DeviceOffer>> offers) {
        return BackendChoice.of(offers).text();
    }

    @Test
    void devicesExchangeWhereAllHaveOneLibraryAndAnotherGpu() {
        BackendChoice choice = BackendChoice.of(List.of(offer("NCCL 2.26.2", "a", ID), offer("NCCL 2.26.2", "b")));
        BackendChoice.Devices devices = assertInstanceOf(BackendChoice.Devices.class, choice);
        assertArrayEquals(ID, devices.id());
        assertEquals("NCCL 2.26.2", devices.text());
    }

    @Test
    void membersWithoutSuchLibrariesAreNotToldOfThem() {
        assertEquals("", text(List.of(Optional.empty(), Optional.empty())));
    }

    @Test
    void everythingElseGoesByTheLanesAndSaysWhy() {
        assertEquals(
                "lanes between hosts: member 1 has no library for exchanges between GPUs",
                text(List.of(offer("x", "a", ID), Optional.empty())));
        assertEquals(
                "lanes between hosts: member 0 has x, member 2 has y",
                text(List.of(offer("x", "a", ID), offer("x", "b"), offer("y", "c"))));
        assertEquals(
                "lanes between hosts: members 1 and 2 have one GPU, b",
                text(List.of(offer("x", "a", ID), offer("x", "b"), offer("x", "b"))));
        assertEquals("lanes between hosts: member 0 created no id", text(List.of(offer("x", "a"), offer("x", "b"))));
    }

    @Test
    void anOfferTravelsBehindTheAddress() {
        String joined = DeviceOffer.joined("tls2 host 1 ab /tmp/x y", offer("NCCL 2", "GPU-1", ID));
        assertEquals("tls2 host 1 ab /tmp/x y", DeviceOffer.address(joined));
        DeviceOffer read = DeviceOffer.of(joined).orElseThrow();
        assertEquals("NCCL 2", read.library());
        assertEquals("GPU-1", read.device());
        assertArrayEquals(ID, read.id().orElseThrow());
    }

    @Test
    void anAddressWithoutAnOfferIsAnAddress() {
        assertEquals("here", DeviceOffer.joined("here", Optional.empty()));
        assertEquals("here", DeviceOffer.address("here"));
        assertEquals(Optional.empty(), DeviceOffer.of("here"));
        assertEquals(Optional.empty(), DeviceOffer.of("here\nnothing of that kind"));
        assertEquals(Optional.empty(), DeviceOffer.of("here\na;b;no hex"));
    }
}
