package dev.outpost.client.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.client.waits.ReadLimit;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which threads pass messages to the lane, the order of the messages, and that no thread waits needlessly. */
@Tag("quick")
class SenderTest {
    private static final int LITTLE_ROOM = 8;

    private final AtomicLong skippedNanos = new AtomicLong();
    private final Outbox outbox = new Outbox(() -> {}, () -> System.nanoTime() + skippedNanos.get());
    private final Wire wire = new Wire();
    private final List<Throwable> defects = new CopyOnWriteArrayList<>();
    private Thread thread;

    @AfterEach
    void endTheThread() throws InterruptedException {
        outbox.discard();
        if (thread != null) {
            thread.join();
        }
    }

    @Test
    void readerSendsItsOwnRequest() {
        Sender sender = started(lane(1 << 20));
        ask(sender, 1);
        assertEquals(List.of(1L), wire.numbers());
        assertSame(Thread.currentThread(), wire.threads.getFirst());
    }

    @Test
    void earlierMessagesGoFirstInOneFrame() {
        Sender sender = sender(lane(1 << 20));
        outbox.add(message(1), false);
        outbox.add(message(2), false);
        ask(sender, 3);
        assertEquals(List.of(1L, 2L, 3L), wire.numbers());
        assertEquals(1, wire.threads.size());
    }

    @Test
    void unawaitedMessagesGoOutAtATick() {
        started(lane(1 << 20));
        outbox.add(message(1), false);
        outbox.add(message(2), false);
        awaitTicking(() -> wire.numbers().equals(List.of(1L, 2L)));
        outbox.add(message(3), false);
        awaitTicking(() -> wire.numbers().equals(List.of(1L, 2L, 3L)));
    }

    @Test
    void lingeringMessagesGoOutWithTheNext() {
        started(lane(1 << 20));
        // A thread that has not checked yet would find the message itself.
        awaitParked();
        outbox.add(message(1), false);
        awaitParked();
        assertEquals(List.of(), wire.numbers());
        skippedNanos.set(Outbox.LINGER_NANOS);
        outbox.add(message(2), false);
        await(() -> wire.numbers().equals(List.of(1L, 2L)));
    }

    private void awaitParked() {
        await(() -> EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING).contains(thread.getState()));
    }

    @Test
    void waitForRoomSendsPendingMessages() {
        Sender sender = started(lane(1 << 20));
        sender.flush();
        outbox.add(message(1), false);
        sender.flush();
        assertEquals(List.of(1L), wire.numbers());
        assertSame(Thread.currentThread(), wire.threads.getFirst());
    }

    @Test
    void manyThatAskAtOnceKeepTheOrder() throws InterruptedException {
        Sender sender = started(lane(1 << 20));
        Numbered numbered = new Numbered();
        inParallel(4, 2_000, number -> {
            if (number % 3 == 0) {
                numbered.addLater();
            } else {
                sender.asking(numbered::addNow);
            }
        });
        awaitTicking(() -> wire.numbers().size() == 8_000);
        assertEquals(LongStream.rangeClosed(1, 8_000).boxed().toList(), wire.numbers());
    }

    @Test
    void orderIsKeptWhereTheWindowIsMostlyFull() throws InterruptedException {
        ReliableLane lane = lane(LITTLE_ROOM);
        Sender sender = started(lane);
        Numbered numbered = new Numbered();
        Thread peer = Thread.ofPlatform().daemon().start(() -> {
            while (wire.numbers().size() < 800) {
                lane.onAck(new Frame.Ack(Lane.CONTROL, wire.last()));
            }
        });
        inParallel(4, 200, number -> sender.asking(numbered::addNow));
        peer.join();
        assertEquals(LongStream.rangeClosed(1, 800).boxed().toList(), wire.numbers());
    }

    @Test
    void requestDoesNotWaitForRoom() {
        ReliableLane lane = lane(LITTLE_ROOM);
        Sender sender = started(lane);
        for (int number = 1; number <= 20; number++) {
            ask(sender, number);
        }
        long sent = wire.numbers().size();
        assertTrue(sent > 0 && sent < 20, () -> "sent " + sent);
        await(() -> {
            lane.onAck(new Frame.Ack(Lane.CONTROL, wire.last()));
            return wire.numbers().size() == 20;
        });
        assertEquals(LongStream.rangeClosed(1, 20).boxed().toList(), wire.numbers());
    }

    @Test
    void requestWithinADeliveryIsLeftToTheSenderThread() {
        Sender[] sender = new Sender[1];
        ReliableLane lane = new ReliableLane(Lane.CONTROL, 1 << 20, payload -> ask(sender[0], 1), System::nanoTime);
        lane.attach(wire, 0);
        sender[0] = started(lane);
        lane.onData(new Frame.Data(Lane.CONTROL, 1, 0, message(9).encode()));
        await(() -> wire.numbers().equals(List.of(1L)));
        assertSame(thread, wire.threads.getFirst());
    }

    @Test
    void anEndedLaneEndsIt() {
        ReliableLane lane = lane(1 << 20);
        Sender sender = sender(lane);
        lane.end(new OutpostException(FaultKind.EXTERNAL, "over"));
        ask(sender, 1);
        assertEquals(0, outbox.bytes());
        started(lane);
    }

    @Test
    void aQuestionThatFailsLeavesNothingBehind() {
        Sender sender = started(lane(1 << 20));
        try {
            sender.asking(() -> {
                throw new IllegalStateException();
            });
        } catch (IllegalStateException expected) {
            outbox.add(message(1), true);
        }
        await(() -> wire.numbers().equals(List.of(1L)));
    }

    /** No other thread sends in this test. */
    @Test
    void aDefectBelowIsToldByTheThreadThatSends() {
        IllegalStateException defect = new IllegalStateException("a defect");
        ReliableLane lane = new ReliableLane(Lane.CONTROL, 1 << 20, payload -> {}, System::nanoTime);
        lane.attach(
                (on, frame) -> {
                    throw defect;
                },
                0);
        ask(sender(lane), 1);
        assertEquals(List.of(defect), defects);
    }

    private Sender sender(ReliableLane lane) {
        return new Sender(outbox, lane, gate(), defects::add);
    }

    private Sender started(ReliableLane lane) {
        Sender sender = sender(lane);
        thread = Thread.ofPlatform().daemon().start(sender::run);
        return sender;
    }

    private ReliableLane lane(int window) {
        ReliableLane lane = new ReliableLane(Lane.CONTROL, window, payload -> {}, System::nanoTime);
        lane.attach(wire, 0);
        return lane;
    }

    private static InFlightLimiter gate() {
        return new InFlightLimiter(
                SessionSettings.DEFAULT, new ReadLimit(SessionSettings.DEFAULT.readLimit(), System::nanoTime));
    }

    private void ask(Sender sender, long number) {
        sender.asking(() -> outbox.add(message(number), true));
    }

    private static Message message(long number) {
        return new ToRuntime.Fetch(number, number);
    }

    private interface Asker {
        void ask(int number);
    }

    private static void inParallel(int threads, int times, Asker asker) throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int index = 0; index < threads; index++) {
            all.add(Thread.ofPlatform().daemon().start(() -> {
                for (int number = 0; number < times; number++) {
                    asker.ask(number);
                }
            }));
        }
        for (Thread each : all) {
            each.join();
        }
    }

    private static void await(BooleanSupplier condition) {
        Await.until("the thread has sent", condition::getAsBoolean);
    }

    private void awaitTicking(BooleanSupplier condition) {
        await(() -> {
            outbox.tick();
            return condition.getAsBoolean();
        });
    }

    /** Adds under a lock, as recording does, so that numbers rise in the order of the outbox. */
    private final class Numbered {
        private final ReentrantLock lock = new ReentrantLock();
        private long last;

        int addNow() {
            return add(true);
        }

        void addLater() {
            add(false);
        }

        private int add(boolean urgent) {
            lock.lock();
            try {
                return outbox.add(message(++last), urgent);
            } finally {
                lock.unlock();
            }
        }
    }

    /** The messages that were sent, and the threads that sent them. */
    private static final class Wire implements FrameOutput {
        final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        private final List<Long> numbers = new ArrayList<>();
        private long last;

        @Override
        public synchronized void send(Lane lane, byte[] frame) {
            if (Frame.decode(Bytes.of(ByteBuffer.wrap(frame))) instanceof Frame.Data data) {
                threads.add(Thread.currentThread());
                last = data.number();
                Message.decodeEach(data.payload(), ToRuntime.Fetch.class, fetch -> numbers.add(fetch.fetch()));
            }
        }

        synchronized long last() {
            return last;
        }

        synchronized List<Long> numbers() {
            return List.copyOf(numbers);
        }
    }
}
