package dev.outpost.provider.lan;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.channel.lan.WorkerRecord;
import dev.outpost.support.tests.Await;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests mDNS packets that no worker sends, followed by the announcement of a worker. */
class HostilePacketsTest {
    private static final int PORT = 5353;

    private final String prefix = "junk-" + UUID.randomUUID().toString().substring(0, 8);

    @Test
    void workerIsHeardBehindPacketsThatMakeNoSense() throws Exception {
        hearBehind(10);
    }

    /** The library asks for each name in turn, which takes a minute. */
    @Test
    @Tag("full")
    void workerIsHeardBehindManyPacketsThatMakeNoSense() throws Exception {
        hearBehind(100);
    }

    private void hearBehind(int packets) throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        try (LanBrowser browser = LanBrowser.start(List.of(here));
                DatagramSocket stranger = new DatagramSocket(0, here)) {
            stranger.setOption(StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByInetAddress(here));
            assumeTrue(send(stranger, new byte[12]), "this host sends no multicast on its loopback");
            Random random = new Random(48);
            for (int packet = 0; packet < packets; packet++) {
                send(stranger, random.nextInt(4) == 0 ? names(random) : damaged(random));
            }
            try (JmDNS network = JmDNS.create(here, prefix)) {
                network.registerService(ServiceInfo.create(WorkerRecord.SERVICE, prefix, 4321, 0, 0, sane()));
                Await.until(
                        "the worker is heard",
                        () -> browser.announcements().stream()
                                .anyMatch(each -> each.record().name().equals(prefix)));
            }
            assertTrue(browser.refused().size() <= 1024);
        }
    }

    private static boolean send(DatagramSocket socket, byte[] packet) throws IOException {
        try {
            socket.send(new DatagramPacket(packet, packet.length, InetAddress.getByName("224.0.0.251"), PORT));
            return true;
        } catch (IOException ignored) {
            return false;
        }
    }

    /** An answer that points to names without records. */
    private byte[] names(Random random) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        int count = 1 + random.nextInt(20);
        header(out, count);
        for (int name = 0; name < count; name++) {
            service(out);
            out.writeShort(12);
            out.writeShort(1);
            out.writeInt(random.nextInt(5));
            ByteArrayOutputStream target = new ByteArrayOutputStream();
            DataOutputStream pointer = new DataOutputStream(target);
            label(pointer, prefix + "-" + random.nextInt());
            service(pointer);
            out.writeShort(target.size());
            target.writeTo(out);
        }
        return bytes.toByteArray();
    }

    /** A packet that is truncated or has a random byte. */
    private byte[] damaged(Random random) throws IOException {
        byte[] whole = names(random);
        byte[] packet = new byte[1 + random.nextInt(whole.length)];
        System.arraycopy(whole, 0, packet, 0, packet.length);
        for (int change = random.nextInt(8); change > 0; change--) {
            packet[random.nextInt(packet.length)] = (byte) random.nextInt();
        }
        return packet;
    }

    private static void header(DataOutputStream out, int answers) throws IOException {
        out.writeShort(0);
        out.writeShort(0x8400);
        out.writeShort(0);
        out.writeShort(answers);
        out.writeInt(0);
    }

    private static void service(DataOutputStream out) throws IOException {
        label(out, "_outpost");
        label(out, "_tcp");
        label(out, "local");
        out.writeByte(0);
    }

    private static void label(DataOutputStream out, String text) throws IOException {
        out.writeByte(text.length());
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private Map<String, byte[]> sane() {
        Map<String, byte[]> entries = new HashMap<>();
        new WorkerRecord(prefix, "cpu", "none", 2, 1, List.of("onnx"), 0, "0.1.0", "00".repeat(32))
                .entries()
                .forEach((key, value) -> entries.put(key, value.getBytes(StandardCharsets.UTF_8)));
        return entries;
    }
}
