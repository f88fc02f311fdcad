package dev.outpost.channel.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.address.PublicAddresses.ForbiddenException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class PublicAddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "100.64.0.1",
                "100.100.100.200",
                "127.0.0.1",
                "127.1",
                "2130706433",
                "169.254.169.254",
                "169.254.170.2",
                "168.63.129.16",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.168.1.1",
                "198.19.0.1",
                "203.0.113.9",
                "224.0.0.251",
                "255.255.255.255",
                "[::]",
                "[::1]",
                "[::127.0.0.1]",
                "[::ffff:10.0.0.1]",
                "[64:ff9b::a9fe:a9fe]",
                "[64:ff9b::808:808]",
                "[64:ff9b:1::1]",
                "[100::1]",
                "[2001::1]",
                "[2001:db8::1]",
                "[2002:a9fe:a9fe::1]",
                "[3fff::1]",
                "[fc00::1]",
                "[fd00:ec2::254]",
                "[fe80::1]",
                "[fec0::1]",
                "[ff02::fb]"
            })
    void addressThatTheInternetDoesNotReachIsForbidden(String host) {
        var forbidden = assertThrows(ForbiddenException.class, () -> PublicAddresses.ONLY.resolve(host));
        assertTrue(forbidden.getMessage().contains("no address of the internet"), forbidden.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "11.0.0.1",
                "100.128.0.1",
                "172.32.0.1",
                "192.0.0.9",
                "[2606:4700::1111]",
                "[2001:4:112::1]"
            })
    void addressOfTheInternetIsChecked(String host) throws Exception {
        assertEquals(1, PublicAddresses.ONLY.resolve(host).addresses().size());
    }

    @Test
    void operatorAllowsBlocksAndHosts() throws Exception {
        PublicAddresses some = PublicAddresses.allowing("10.1.0.0/16, localhost, fd00::/8");
        assertEquals(
                List.of(InetAddress.getByName("10.1.2.3")),
                some.resolve("10.1.2.3").addresses());
        assertTrue(some.isAllowedBesides(some.resolve("[fd00::1]")));
        assertTrue(some.isAllowedBesides(some.resolve("LOCALHOST")));
        assertTrue(!some.isAllowedBesides(some.resolve("1.1.1.1")));
        assertThrows(ForbiddenException.class, () -> some.resolve("10.2.0.1"));
        assertThrows(ForbiddenException.class, () -> some.resolve("127.0.0.1"));
    }

    @Test
    void malformedBlockIsRefused() {
        for (String text : List.of("10.0.0.0/33", "10.0.0.0/x", "10.0.0/8/1", "::1/129", "http://x")) {
            assertThrows(IllegalArgumentException.class, () -> PublicAddresses.allowing(text), text);
        }
    }
}
