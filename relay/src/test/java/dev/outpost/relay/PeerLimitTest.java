package dev.outpost.relay;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class PeerLimitTest {
    private final PeerLimit limit = new PeerLimit(1);

    private boolean enter(String address) throws UnknownHostException {
        return limit.tryEnter(InetAddress.getByName(address));
    }

    @Test
    void eachAddressIsCountedByItself() throws UnknownHostException {
        assertTrue(enter("10.0.0.1"));
        assertFalse(enter("10.0.0.1"));
        assertTrue(enter("10.0.0.2"));
        limit.leave(InetAddress.getByName("10.0.0.1"));
        assertTrue(enter("10.0.0.1"));
    }

    @Test
    void aNetworkOfIpv6IsOnePeer() throws UnknownHostException {
        assertTrue(enter("2001:db8:1:2::1"));
        assertFalse(enter("2001:db8:1:2:3:4:5:6"));
        assertTrue(enter("2001:db8:1:3::1"));
    }
}
