package dev.outpost.channel.address;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A block of addresses, such as {@code 10.0.0.0/8}.
 *
 * @param bits the number of leading bits that all addresses of the block share
 */
public record AddressBlock(InetAddress first, int bits) {
    /**
     * Parses a block of addresses with the same leading bits, or a single address if the text has no slash. Java converts IPv4-mapped
     * IPv6 addresses to IPv4, so such blocks must be written as IPv4.
     */
    public static AddressBlock parse(String text) {
        String[] parts = text.strip().split("/", -1);
        try {
            if (parts.length <= 2 && parts[0].matches("[0-9.]+|[0-9a-fA-F.]*:[0-9a-fA-F:.]*")) {
                InetAddress address = InetAddress.getByName(parts[0]);
                int max = address.getAddress().length * Byte.SIZE;
                int bits = parts.length == 1 ? max : Integer.parseInt(parts[1]);
                if (bits >= 0 && bits <= max) {
                    return new AddressBlock(address, bits);
                }
            }
        } catch (UnknownHostException | NumberFormatException ignored) {
            // The code below refuses the text.
        }
        throw new IllegalArgumentException("expected an address or a block such as 10.0.0.0/8, got \"" + text + "\"");
    }

    /** True if the address is of the same family and lies in the block. */
    public boolean contains(InetAddress address) {
        byte[] own = first.getAddress();
        byte[] other = address.getAddress();
        if (own.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if (((own[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
