package dev.outpost.provider.process.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.provider.process.state.UserRange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Adds routing rules to this host, for unused user ids, and removes them. */
class MetadataServicesTest {
    private static final UserRange USERS = new UserRange(1_899_999_998, 1_899_999_999);

    private static boolean isRefused(String address) {
        return Tool.run(List.of("ip", "rule", "show"))
                .output()
                .lines()
                .anyMatch(line -> line.contains("to " + address + " ")
                        && line.contains(USERS.text())
                        && line.endsWith("prohibit"));
    }

    /** A restart of the host's network removes the rules of other programs. */
    @Test
    void ruleThatHasGoneIsMadeAgain() {
        assumeTrue(HostUser.ofThisProcess().isRoot(), "needs root");
        assumeTrue(Tool.run(List.of("ip", "rule", "show")).isSuccess(), "needs ip");
        String address = "169.254.169.254";
        try {
            assertEquals(Optional.empty(), MetadataServices.block(USERS));
            assertTrue(isRefused(address));
            assertTrue(isRefused("169.254.170.23"), "AWS for pods");
            remove(address);
            assertEquals(Optional.empty(), MetadataServices.block(USERS));
            assertTrue(isRefused(address));
        } finally {
            MetadataServices.ADDRESSES.forEach(MetadataServicesTest::remove);
        }
    }

    private static void remove(String address) {
        String family = address.contains(":") ? "-6" : "-4";
        Tool.run(List.of(
                "ip", family, "rule", "del", "pref", "5210", "uidrange", USERS.text(), "to", address, "prohibit"));
    }
}
