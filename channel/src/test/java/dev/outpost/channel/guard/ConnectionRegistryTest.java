package dev.outpost.channel.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionRegistryTest {
    private static final InetAddress ONE = address("192.0.2.1");
    private static final InetAddress OTHER = address("192.0.2.2");

    private final ConnectionRegistry<Connection> registry = new ConnectionRegistry<>(4, 2);

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static final class Connection implements ConnectionRegistry.Member {
        private boolean isBusy;
        private boolean isClosed;

        /** Counts the registry's checks, because each is work. */
        private int questions;

        @Override
        public boolean isBusy() {
            questions++;
            return isBusy;
        }

        @Override
        public int hashCode() {
            questions++;
            return super.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private Connection open(InetAddress address) {
        Connection connection = new Connection();
        assertTrue(registry.add(address, false, connection));
        return connection;
    }

    @Test
    void newcomerOfAnAddressDrivesOutItsOldestIdleConnection() {
        Connection busy = open(ONE);
        busy.isBusy = true;
        Connection idle = open(ONE);
        Connection ofAnother = open(OTHER);
        open(ONE);
        assertTrue(idle.isClosed);
        assertFalse(busy.isClosed);
        assertFalse(ofAnother.isClosed);
        assertEquals(3, registry.open());
    }

    @Test
    void newcomerIsRefusedWhereAllOfItsAddressAreBusy() {
        open(ONE).isBusy = true;
        open(ONE).isBusy = true;
        assertFalse(registry.add(ONE, false, new Connection()));
        open(OTHER);
    }

    @Test
    void whereAllIsFullTheAddressWithTheMostConnectionsMakesRoom() {
        Connection first = open(ONE);
        open(ONE);
        Connection single = open(OTHER);
        Connection fourth = open(address("192.0.2.3"));
        open(address("192.0.2.4"));
        assertTrue(first.isClosed);
        assertFalse(single.isClosed || fourth.isClosed);
        assertEquals(4, registry.open());
    }

    @Test
    void connectionsOfAProxyCountInTotalOnly() {
        for (int count = 0; count < 4; count++) {
            assertTrue(registry.add(ONE, true, new Connection()));
        }
        assertTrue(registry.beginRequest(OTHER));
        assertTrue(registry.beginRequest(OTHER));
        assertFalse(registry.beginRequest(OTHER));
        registry.endRequest(OTHER);
        assertTrue(registry.beginRequest(OTHER));
    }

    @Test
    void anIpv6NetworkIsOneAddress() {
        open(address("2001:db8::1")).isBusy = true;
        open(address("2001:db8::2")).isBusy = true;
        assertFalse(registry.add(address("2001:db8::3"), false, new Connection()));
    }

    /** A client with many addresses keeps opening connections without sending anything. */
    @Test
    void workOfANewcomerDoesNotGrowWithTheIdleConnections() {
        int max = 20_000;
        ConnectionRegistry<Connection> large = new ConnectionRegistry<>(max, 2);
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < 2 * max; i++) {
            Connection connection = new Connection();
            all.add(connection);
            assertTrue(large.add(address("2001:db8:%x:%x::1".formatted(i >> 16, i & 0xffff)), false, connection));
        }
        assertEquals(max, large.open());
        assertEquals(max, all.stream().filter(one -> one.isClosed).count());
        assertTrue(all.subList(0, max).stream().allMatch(one -> one.isClosed), "the oldest go");
        for (int i = max; i < 2 * max; i++) {
            large.remove(address("2001:db8:%x:%x::1".formatted(i >> 16, i & 0xffff)), all.get(i));
        }
        assertEquals(0, large.open());
        long questions = all.stream().mapToLong(one -> one.questions).sum();
        assertTrue(questions < 10L * all.size(), () -> questions + " questions");
    }

    @Test
    void networksAreReadByTheirBits() {
        ConnectionLimits.Network network = ConnectionLimits.Network.parse("10.1.128.0/17");
        assertTrue(network.contains(address("10.1.200.7")));
        assertFalse(network.contains(address("10.1.100.7")));
        assertFalse(network.contains(address("::1")));
        assertTrue(ConnectionLimits.Network.parse("::1").contains(address("::1")));
        for (String malformed : new String[] {"10.0.0.0/33", "localhost", "10.0.0.0/x", ""}) {
            assertThrows(IllegalArgumentException.class, () -> ConnectionLimits.Network.parse(malformed));
        }
    }
}
