package dev.outpost.cli.lan;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Asks a network for its services by multicast, like mDNS, and listens for a while. Every mDNS responder answers the question, and a probe
 * on another host receives it, too.
 *
 * @param address this host's address on the network
 * @param port the port of the multicast group
 */
record MulticastProbe(InetAddress address, int port) {
    /** The port of mDNS. */
    static final int PORT = 5353;

    private static final int MAX_PACKET = 9000;
    private static final int HEADER_BYTES = 12;
    private static final int TYPE_POINTER = 12;
    private static final int CLASS_INTERNET = 1;
    private static final int QUESTIONS = 3;
    private static final String SERVICES = "_services._dns-sd._udp.local";

    /**
     * The result on one network.
     *
     * @param ownReturned true if this host received its own question, as it should with multicast
     * @param others the addresses of other hosts that sent packets
     */
    record Heard(boolean ownReturned, Set<InetAddress> others) {
        Heard {
            others = Set.copyOf(others);
        }
    }

    /** Thrown if a program uses the port of mDNS and does not share it. */
    static final class PortTakenException extends IOException {
        private static final long serialVersionUID = 1;

        PortTakenException(int port, BindException cause) {
            super("UDP port " + port + " is held by a program that does not share it", cause);
        }
    }

    /**
     * Asks, and listens for {@code time}. Returns earlier if both its own packet and one of another host have
     * arrived.
     *
     * @throws PortTakenException if the port cannot be shared
     * @throws IOException if the network does not take multicast
     */
    Heard run(Duration time) throws IOException {
        NetworkInterface network = NetworkInterface.getByInetAddress(address);
        if (network == null) {
            throw new IOException("no interface has the address " + address.getHostAddress());
        }
        boolean isFour = address instanceof Inet4Address;
        InetAddress group = InetAddress.getByName(isFour ? "224.0.0.251" : "ff02::fb");
        try (DatagramChannel channel =
                        DatagramChannel.open(isFour ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
                Selector selector = Selector.open()) {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, network);
            channel.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true);
            bind(channel);
            channel.join(group, network);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return listen(channel, selector, new InetSocketAddress(group, port), time);
        }
    }

    private void bind(DatagramChannel channel) throws IOException {
        try {
            channel.bind(new InetSocketAddress(port));
        } catch (BindException failure) {
            throw new PortTakenException(port, failure);
        }
    }

    private Heard listen(DatagramChannel channel, Selector selector, InetSocketAddress group, Duration time)
            throws IOException {
        byte[] question = question();
        boolean isOwnBack = false;
        Set<InetAddress> others = new HashSet<>();
        long start = System.nanoTime();
        for (int asked = 0; asked < QUESTIONS; asked++) {
            channel.send(ByteBuffer.wrap(question), group);
            long end = start + time.toNanos() * (asked + 1) / QUESTIONS;
            for (long left = end - System.nanoTime();
                    left > 0 && !(isOwnBack && !others.isEmpty());
                    left = end - System.nanoTime()) {
                selector.select(1 + left / 1_000_000);
                selector.selectedKeys().clear();
                ByteBuffer packet = ByteBuffer.allocate(MAX_PACKET);
                while (channel.receive(packet) instanceof InetSocketAddress from) {
                    byte[] content = Arrays.copyOf(packet.array(), packet.position());
                    if (Arrays.equals(content, question)) {
                        isOwnBack = true;
                    } else if (NetworkInterface.getByInetAddress(from.getAddress()) == null) {
                        others.add(from.getAddress());
                    }
                    packet.clear();
                }
            }
        }
        return new Heard(isOwnBack, others);
    }

    /** Returns a question for all services of the network, with a number by which this host recognizes it. */
    private static byte[] question() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] number = new byte[2];
        new SecureRandom().nextBytes(number);
        out.writeBytes(number);
        // The header of the packet: no flags, and one question.
        out.writeBytes(new byte[] {0, 0, 0, 1});
        out.writeBytes(new byte[HEADER_BYTES - out.size()]);
        for (String label : SERVICES.split("\\.")) {
            out.write(label.length());
            out.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes(new byte[] {0, 0, TYPE_POINTER, 0, CLASS_INTERNET});
        return out.toByteArray();
    }
}
