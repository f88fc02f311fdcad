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

/** Pairs of lanes over a {@link SimulatedNetwork}: what arrives, how often, and at what cost. */
@Tag("quick")
class LaneDeliveryTest {
    private static final long START = 1L << 50;

    @Test
    void everythingArrivesOnceAndInOrder() {
        Trials.repeat(60, 1, random -> {
            SimulatedNetwork network = network(random).unreliable(0.3, 0.3, 80).connect();
            converse(network, random, 100, 0);
            assertArrived(network, 100);
        });
    }

    @Test
    void everythingArrivesOverConnectionsThatComeAndGo() {
        Trials.repeat(60, 1, random -> {
            SimulatedNetwork network = network(random).unreliable(0.1, 0.2, 40).connect();
            converse(network, random, 100, 0.1);
            assertArrived(network, 100);
        });
    }

    @Test
    void everythingArrivesWhereverTheConnectionBreaks() {
        for (int arrivals = 0; arrivals < 60; arrivals++) {
            SimulatedNetwork network =
                    network(new SplittableRandom(1)).cutAfter(arrivals).connect();
            converse(network, new SplittableRandom(arrivals), 20, 0);
            network.cut();
            network.run(50);
            network.connect().settle(10_000);
            assertArrived(network, 20);
        }
    }

    @Test
    void whatWasSentBeforeTheFirstConnectionArrives() {
        SimulatedNetwork network = network(new SplittableRandom(1));
        send(network.left, 0, 10);
        network.run(500);
        assertEquals(0, network.left.lane.framesSent());
        network.connect().run(1_000);
        assertEquals(numbers(10), delivered(network.right));
        assertEquals(10, network.left.lane.framesSent());
    }

    /** Whatever the clock shows: System.nanoTime may begin anywhere. */
    @Test
    void nothingIsSentTwiceWhenNothingIsLost() {
        for (long start : new long[] {-START, 0, START}) {
            SimulatedNetwork network = new SimulatedNetwork(new SplittableRandom(1), start).connect();
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
        SimulatedNetwork network = network(new SplittableRandom(1)).connect();
        send(network.left, 0, 1_000);
        network.run(1_000);
        assertEquals(1_000 / 8, network.left.framesArrived);
        assertEquals(1_000, network.right.framesArrived);
    }

    /** A conversation acknowledges itself. */
    @Test
    void answersCarryAcknowledgements() {
        SimulatedNetwork network = network(new SplittableRandom(1)).latency(1).connect();
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
            SimulatedNetwork network = new SimulatedNetwork(new SplittableRandom(1), start).connect();
            network.run(61_000);
            assertEquals(20, network.left.framesArrived);
            assertEquals(20, network.right.framesArrived);
        }
    }

    @Test
    void aNewConnectionRepeatsWhatIsMissingOnce() {
        SimulatedNetwork network = network(new SplittableRandom(1)).latency(50).connect();
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
        SimulatedNetwork network = network(new SplittableRandom(1)).latency(50).connect();
        send(network.left, 0, 5);
        network.run(52);
        network.cut();
        network.connect().run(5_000);
        assertEquals(numbers(5), delivered(network.right));
        assertEquals(5, network.left.lane.framesSent());
    }

    /** Before the first answer nobody can know that the network is slow; after it nothing is repeated any more. */
    @Test
    void aSlowNetworkIsNotTakenForALossyOne() {
        for (long latency : new long[] {150, 300}) {
            SimulatedNetwork network =
                    network(new SplittableRandom(1)).latency(latency).connect();
            for (int number = 0; number < 200; number++) {
                send(network.left, number, number + 1);
                network.run(50);
            }
            network.run(2_000);
            assertEquals(numbers(200), delivered(network.right));
            long repeated = network.left.lane.framesSent() - 200;
            assertTrue(repeated <= 20, "repeated over " + latency + " ms: " + repeated);
        }
    }

    @Test
    void aNetworkThatBecomesSlowIsLearntAnew() {
        SimulatedNetwork network = network(new SplittableRandom(1)).latency(5).connect();
        dialogue(network, 0, 20);
        network.latency(300);
        dialogue(network, 20, 60);
        long before = network.left.lane.framesSent();
        dialogue(network, 60, 80);
        assertEquals(20, network.left.lane.framesSent() - before);
    }

    /** The one case that cannot measure a round trip at first: each frame waits for the answer to the one before. */
    @Test
    void aSlowDialogueLearnsItsRoundTrip() {
        SimulatedNetwork network = network(new SplittableRandom(1)).latency(300).connect();
        dialogue(network, 0, 10);
        long before = network.left.lane.framesSent();
        dialogue(network, 10, 30);
        assertEquals(20, network.left.lane.framesSent() - before);
    }

    private static void dialogue(SimulatedNetwork network, int first, int end) {
        for (int number = first; number < end; number++) {
            send(network.left, number, number + 1);
            network.settle(10_000);
        }
    }

    @Test
    void aSlowNetworkIsKnownToBeSlowOverANewConnection() {
        SimulatedNetwork network = network(new SplittableRandom(1)).latency(300).connect();
        dialogue(network, 0, 10);
        network.cut();
        long before = network.left.lane.framesSent();
        network.connect();
        dialogue(network, 10, 11);
        assertEquals(1, network.left.lane.framesSent() - before);
    }

    /** 4 MiB are on their way when the first frame is lost: one repetition is at most 1 MiB. */
    @Test
    void aRepetitionIsBounded() {
        SimulatedNetwork network =
                network(new SplittableRandom(1)).unreliable(1, 0, 0).connect();
        for (int number = 0; number < 64; number++) {
            network.left.lane.sendNow(new byte[64 << 10]);
        }
        network.run(150);
        assertEquals(64 + 16, network.left.lane.framesSent());
    }

    /** Into a void: 0.1, 0.2, 0.4, 0.8, 1.6 and then every 2 seconds. */
    @Test
    void repetitionsGrowRarer() {
        SimulatedNetwork network =
                network(new SplittableRandom(1)).unreliable(1, 0, 0).connect();
        send(network.left, 0, 1);
        network.run(60_000);
        long framesSent = network.left.lane.framesSent();
        assertTrue(framesSent > 30 && framesSent < 36, "sent in a minute: " + framesSent);
    }

    private static SimulatedNetwork network(RandomGenerator random) {
        return new SimulatedNetwork(random, START);
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
