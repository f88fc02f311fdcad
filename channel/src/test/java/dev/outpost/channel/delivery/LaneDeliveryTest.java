package dev.outpost.channel.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests deliveries, repeats and costs of pairs of lanes over a {@link SimulatedNetwork}. */
@Tag("quick")
class LaneDeliveryTest {
    private static final long START = 1L << 50;

    @Test
    void everythingArrivesOverConnectionsThatComeAndGo() {
        Trials.repeat(60, 1, random -> {
            SimulatedNetwork network = network().connect();
            converse(network, random, 100, 0.1);
            assertArrived(network, 100);
        });
    }

    @Test
    void everythingArrivesWhereverTheConnectionBreaks() {
        for (int arrivals = 0; arrivals < 60; arrivals++) {
            SimulatedNetwork network = network().cutAfter(arrivals).connect();
            converse(network, new SplittableRandom(arrivals), 20, 0);
            network.cut();
            network.run(50);
            network.connect().settle(10_000);
            assertArrived(network, 20);
        }
    }

    @Test
    void messagesSentBeforeTheFirstConnectionArrive() {
        SimulatedNetwork network = network();
        send(network.left, 0, 10);
        network.run(500);
        assertEquals(0, network.left.lane.framesSent());
        network.connect().run(1_000);
        assertEquals(numbers(10), delivered(network.right));
        assertEquals(10, network.left.lane.framesSent());
    }

    /** The clock may show anything: System.nanoTime may begin anywhere. */
    @Test
    void nothingIsSentTwiceWhenNothingIsLost() {
        for (long start : new long[] {-START, 0, START}) {
            SimulatedNetwork network = new SimulatedNetwork(start).connect();
            for (int number = 0; number < 1_000; number++) {
                send(network.left, number, number + 1);
                network.run(number % 7 == 0 ? 5 : 0);
            }
            network.run(10_000);
            assertEquals(numbers(1_000), delivered(network.right));
            assertEquals(1_000, network.left.lane.framesSent());
            assertEquals(0, network.right.lane.framesSent());
        }
    }

    /** 1,000 frames at once: an acknowledgement for every eight of them, and signs of life. */
    @Test
    void acknowledgementsAreFewerThanFrames() {
        SimulatedNetwork network = network().connect();
        send(network.left, 0, 1_000);
        network.run(1_000);
        assertEquals(1_000 / 8, network.left.framesArrived);
        assertEquals(1_000, network.right.framesArrived);
    }

    /** A conversation acknowledges itself. */
    @Test
    void answersCarryAcknowledgements() {
        SimulatedNetwork network = network().latency(1).connect();
        for (int number = 0; number < 100; number++) {
            send(network.left, number, number + 1);
            send(network.right, number, number + 1);
            network.run(5);
        }
        assertEquals(100, network.left.lane.framesSent());
        assertTrue(network.left.framesArrived <= 200, "frames for 100 answers: " + network.left.framesArrived);
    }

    @Test
    void anIdleLaneGivesASignOfLifeEveryThreeSeconds() {
        for (long start : new long[] {-START, 0, START}) {
            SimulatedNetwork network = new SimulatedNetwork(start).connect();
            network.run(61_000);
            assertEquals(20, network.left.framesArrived);
            assertEquals(20, network.right.framesArrived);
        }
    }

    @Test
    void aNewConnectionRepeatsWhatIsMissingOnce() {
        SimulatedNetwork network = network().latency(50).connect();
        send(network.left, 0, 5);
        network.run(20);
        network.cut();
        network.run(1_000);
        network.connect().run(5_000);
        assertEquals(numbers(5), delivered(network.right));
        assertEquals(10, network.left.lane.framesSent());
    }

    @Test
    void aNewConnectionRepeatsNothingThatArrived() {
        SimulatedNetwork network = network().latency(50).connect();
        send(network.left, 0, 5);
        network.run(52);
        network.cut();
        network.connect().run(5_000);
        assertEquals(numbers(5), delivered(network.right));
        assertEquals(5, network.left.lane.framesSent());
    }

    /** Nothing is sent again on the same connection, however long an acknowledgement takes. */
    @Test
    void aSilentConnectionRepeatsNothing() {
        SimulatedNetwork network = network().latency(120_000).connect();
        send(network.left, 0, 5);
        network.run(60_000);
        assertEquals(5, network.left.lane.framesSent());
    }

    /** If each connection breaks under the load of all unacknowledged frames, each must still deliver some of them. */
    @Test
    void messagesTooManyForOneConnectionArrive() {
        for (int capacity : new int[] {3, 10, 30, 100}) {
            SimulatedNetwork network = network().capacity(capacity);
            send(network.left, 0, 1_000);
            while (!network.isSettled() && network.connections() < 1_000) {
                network.connect();
                while (network.isConnected() && !network.isSettled()) {
                    network.run(5);
                }
            }
            assertEquals(numbers(1_000), delivered(network.right), "capacity " + capacity);
            assertTrue(network.connections() <= 1_000 / 2, () -> network.connections() + " connections");
        }
    }

    /** A full lane catches up within a few round trips. */
    @Test
    void resentBytesDoubleWithEachRoundTrip() {
        SimulatedNetwork network = network().latency(10);
        send(network.left, 0, 10_000);
        network.connect().cut();
        assertEquals(10_000, network.left.lane.framesSent());
        network.connect().run(2 * 10 * 16);
        assertEquals(numbers(10_000), delivered(network.right));
        assertEquals(20_000, network.left.lane.framesSent());
    }

    /** New messages follow the messages that are being repeated. */
    @Test
    void newMessagesFollowResentOnes() {
        SimulatedNetwork network = network();
        send(network.left, 0, 100);
        network.connect().cut();
        network.connect();
        send(network.left, 100, 200);
        network.run(5);
        send(network.left, 200, 300);
        network.settle(1_000);
        assertEquals(numbers(300), delivered(network.right));
        assertEquals(100 + 300, network.left.lane.framesSent());
    }

    private static SimulatedNetwork network() {
        return new SimulatedNetwork(START);
    }

    /** Both sides send that many payloads, in spurts; the connection breaks now and then. */
    private static void converse(SimulatedNetwork network, RandomGenerator random, int payloads, double cuts) {
        for (int number = 0; number < payloads; number++) {
            send(network.left, number, number + 1);
            send(network.right, number, number + 1);
            network.run(random.nextInt(4) == 0 ? random.nextInt(60) : 0);
            if (random.nextDouble() < cuts) {
                network.cut();
                network.run(random.nextInt(300));
                network.connect();
            }
        }
        network.settle(120_000);
    }

    private static void assertArrived(SimulatedNetwork network, int payloads) {
        assertEquals(numbers(payloads), delivered(network.right));
        assertEquals(numbers(payloads), delivered(network.left));
        assertTrue(network.isSettled(), "all acknowledged");
    }

    private static void send(SimulatedNetwork.Peer from, int first, int end) {
        for (int number = first; number < end; number++) {
            from.lane.sendNow(ByteBuffer.allocate(4).putInt(number).array());
        }
    }

    private static List<Integer> delivered(SimulatedNetwork.Peer to) {
        return to.delivered.stream()
                .map(payload -> ByteBuffer.wrap(payload).getInt())
                .toList();
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }
}
