package dev.outpost.relay.name;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Converts a machine's address to a server name that only a holder of the secret can make, and converts such a name back. The name's first
 * label is a version, the port, the address and a MAC over them, in base 32; the labels after it carry no information. So a relay needs
 * neither a table nor a directory service.
 *
 * <p>Thread-safe.
 */
public final class RelayNames {
    /** The default suffix after the label. No DNS server ever resolves it. */
    public static final String SUFFIX = "relay.outpost.internal";

    private static final byte VERSION = 1;
    private static final int RADIX = 32;
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;
    private static final int MAC_BYTES = 16;
    private static final int HEAD = 1 + Short.BYTES;
    /** A number in base 32, without leading zeros, so that each address has exactly one name. */
    private static final Pattern LABEL = Pattern.compile("[1-9a-v][0-9a-v]{10,62}");

    private static final String MAC = "HmacSHA256";

    private final List<SecretKeySpec> keys;

    /**
     * @param secrets the secrets: the first one signs, and names signed by any of them are accepted, so that secrets
     *     can be rotated
     */
    public RelayNames(List<RelaySecret> secrets) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("relay: a secret is missing");
        }
        this.keys = secrets.stream()
                .map(secret -> new SecretKeySpec(secret.bytes(), MAC))
                .toList();
    }

    /** Returns the server name of a machine at that address. */
    public String of(InetAddress address, int port) {
        byte[] target = target(address, port);
        byte[] all = Arrays.copyOf(target, target.length + MAC_BYTES);
        System.arraycopy(mac(keys.getFirst(), target), 0, all, target.length, MAC_BYTES);
        return new BigInteger(1, all).toString(RADIX) + "." + SUFFIX;
    }

    private static byte[] target(InetAddress address, int port) {
        if (port < 1 || port > 0xFFFF) {
            throw new IllegalArgumentException("port: expected 1 to 65535, got " + port);
        }
        byte[] bytes = address.getAddress();
        return ByteBuffer.allocate(HEAD + bytes.length)
                .put(VERSION)
                .putShort((short) port)
                .put(bytes)
                .array();
    }

    /** Returns the address that a server name stands for; empty if none of the secrets signed it. */
    public Optional<InetSocketAddress> resolve(String serverName) {
        int dot = serverName.indexOf('.');
        String label = dot < 0 ? serverName : serverName.substring(0, dot);
        if (!LABEL.matcher(label).matches()) {
            return Optional.empty();
        }
        byte[] all = unsigned(new BigInteger(label, RADIX));
        int addressBytes = all.length - HEAD - MAC_BYTES;
        if ((addressBytes != IPV4 && addressBytes != IPV6) || all[0] != VERSION || !isSigned(all)) {
            return Optional.empty();
        }
        return Optional.of(address(ByteBuffer.wrap(all, 1, all.length - 1 - MAC_BYTES)));
    }

    private static byte[] unsigned(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    private boolean isSigned(byte[] all) {
        byte[] target = Arrays.copyOf(all, all.length - MAC_BYTES);
        byte[] given = Arrays.copyOfRange(all, target.length, all.length);
        return keys.stream().anyMatch(key -> MessageDigest.isEqual(mac(key, target), given));
    }

    private static InetSocketAddress address(ByteBuffer target) {
        int port = Short.toUnsignedInt(target.getShort());
        byte[] bytes = new byte[target.remaining()];
        target.get(bytes);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] mac(SecretKeySpec key, byte[] target) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            return Arrays.copyOf(mac.doFinal(target), MAC_BYTES);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
