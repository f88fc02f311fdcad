package dev.outpost.system.deploy;

import java.math.BigInteger;
import java.net.InetAddress;

/** A block of addresses such as {@code 10.0.0.0/8}. */
record Cidr(InetAddress start, int prefix) {

    static Cidr of(String text) {
        String[] parts = text.split("/");
        return new Cidr(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
    }

    boolean holds(String literal) {
        InetAddress address = InetAddress.ofLiteral(literal);
        int bits = 8 * address.getAddress().length;
        return bits == 8 * start.getAddress().length && network(address, bits).equals(network(start, bits));
    }

    private BigInteger network(InetAddress address, int bits) {
        return new BigInteger(1, address.getAddress()).shiftRight(bits - prefix);
    }
}
