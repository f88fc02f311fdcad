package dev.outpost.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Tests exchanges of a group by its members' devices. */
class DeviceGroupTest {
    private static final int SIZE = 2;
    private static final Shape SHAPE = Shape.of(4);

    /** Records its calls. */
    private static class Recording implements DeviceCommunicator {
        final List<String> calls = new CopyOnWriteArrayList<>();
        final Completion open = new Completion();

        @Override
        public boolean prepareGroups(int size, Duration timeout) {
            return false;
        }

        @Override
        public void tryGroups() {
            throw new IllegalStateException("no unit was prepared");
        }

        @Override
        public void endTrial() {
            // It has no units.
        }

        @Override
        public Optional<Kernel> exchanger() {
            return Optional.empty();
        }

        @Override
        public boolean takes(Collective collective, Shape operand) {
            return collective.fn() == Collective.Fn.ALL_REDUCE;
        }

        @Override
        public DeviceExchange prepare(Collective collective, Array operand, EngineBuffer result) {
            return new DeviceExchange() {
                @Override
                public Completion start() {
                    calls.add("start " + collective.number());
                    return completion(collective.number());
                }

                @Override
                public Completion finish() {
                    return Completion.DONE;
                }

                @Override
                public void cancel() {
                    calls.add("cancel " + collective.number());
                }
            };
        }

        Completion completion(long number) {
            return Completion.DONE;
        }

        @Override
        public void abort() {
            calls.add("abort");
            open.fail(new IllegalStateException("aborted"));
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    /** Its exchanges end only when they are aborted. */
    private static final class Stuck extends Recording {
        @Override
        Completion completion(long number) {
            return open;
        }
    }

    private static void await(BooleanSupplier condition) {
        Await.until("the device was called", condition::getAsBoolean);
    }

    private static Collective sum(long number, Integer... members) {
        return new Collective(
                Collective.Fn.ALL_REDUCE,
                new TensorType(DType.FLOAT32, SHAPE),
                List.of(members),
                Optional.empty(),
                Optional.empty(),
                number,
                1);
    }

    private static PeerGroup.Underway begin(PeerGroup group, long number, Optional<Fault> lost)
            throws InterruptedException {
        Collective sum = sum(number, 0, 1);
        DeviceCommunicator devices = group.devices(sum, SHAPE).orElseThrow();
        DeviceExchange prepared = lost.isPresent() ? null : devices.prepare(sum, null, null);
        return group.begin(sum, lost.isPresent() ? null : SHAPE, prepared, lost);
    }

    private static List<PeerGroup> groups(List<? extends Recording> devices) throws Exception {
        return groups(devices, Await.GUARD);
    }

    private static List<PeerGroup> groups(List<? extends Recording> devices, Duration timeout) throws Exception {
        List<PeerGroup> groups = PeerMembers.groups(SIZE);
        for (int rank = 0; rank < SIZE; rank++) {
            groups.get(rank).exchangeOnDevices(devices.get(rank), timeout);
        }
        return groups;
    }

    @Test
    void exchangesStartInTheirOrderOnAllMembers() throws Exception {
        List<Recording> devices = List.of(new Recording(), new Recording());
        List<PeerGroup> groups = groups(devices);
        PeerMembers.onAll(SIZE, rank -> {
            List<PeerGroup.Underway> begun = new ArrayList<>();
            for (long number = 1; number <= 10; number++) {
                begun.add(begin(groups.get(rank), number, Optional.empty()));
            }
            for (PeerGroup.Underway each : begun) {
                assertTrue(each.await().isInPlace());
            }
            return null;
        });
        for (Recording each : devices) {
            assertEquals(
                    List.of(
                            "start 1",
                            "start 2",
                            "start 3",
                            "start 4",
                            "start 5",
                            "start 6",
                            "start 7",
                            "start 8",
                            "start 9",
                            "start 10"),
                    each.calls);
        }
    }

    /** Otherwise the device of the member with an operand would wait forever. */
    @Test
    void noDeviceStartsWhereAMemberHasLostItsOperand() throws Exception {
        List<Recording> devices = List.of(new Recording(), new Recording());
        List<PeerGroup> groups = groups(devices);
        Fault fault = Fault.newBuilder().setMessage("index 7 is out of bounds").build();
        List<ExchangeResult> results = PeerMembers.onAll(SIZE, rank -> {
            PeerGroup.Underway lost = begin(groups.get(rank), 1, rank == 0 ? Optional.of(fault) : Optional.empty());
            PeerGroup.Underway next = begin(groups.get(rank), 2, Optional.empty());
            assertTrue(next.await().isInPlace());
            return lost.await();
        });
        results.forEach(each -> assertEquals(
                "index 7 is out of bounds", each.fault().orElseThrow().getMessage()));
        assertEquals(List.of("start 2"), devices.get(0).calls);
        assertEquals(List.of("cancel 1", "start 2"), devices.get(1).calls);
    }

    @Test
    void theLossOfAMemberEndsWhatWaitsOnADevice() throws Exception {
        List<Stuck> devices = List.of(new Stuck(), new Stuck());
        List<PeerGroup> groups = groups(devices);
        List<PeerGroup.Underway> begun = PeerMembers.onAll(SIZE, rank -> begin(groups.get(rank), 1, Optional.empty()));
        for (Stuck each : devices) {
            await(() -> !each.calls.isEmpty());
        }
        groups.get(0).close("its session has ended");
        String told = begun.get(0).await().fault().orElseThrow().getMessage();
        assertTrue(told.contains("its session has ended"), told);
        // The program is told of the end first, and the exchange's thread ends after that.
        Await.until(
                "the exchange is cancelled and aborted",
                () -> devices.get(0).calls.size() == 3);
        assertEquals(
                List.of("start 1", "cancel 1", "abort"),
                devices.get(0).calls.stream()
                        .sorted(Comparator.comparing(
                                call -> List.of("start 1", "cancel 1", "abort").indexOf(call)))
                        .toList());
    }

    /** A member that hangs after it has begun. */
    @Test
    void devicesThatDoNotEndAreGivenUpAfterThePatience() throws Exception {
        List<Stuck> devices = List.of(new Stuck(), new Stuck());
        List<PeerGroup> groups = groups(devices, Duration.ofMillis(50));
        List<ExchangeResult> results = PeerMembers.onAll(
                SIZE, rank -> begin(groups.get(rank), 1, Optional.empty()).await());
        String told = results.get(0).fault().orElseThrow().getMessage();
        assertTrue(told.contains("the devices of members [0, 1] have begun to exchange"), told);
        assertTrue(devices.get(0).calls.contains("abort"), devices.get(0).calls::toString);
    }

    // ---- several at once

    /** Exchanges 1 to 3 are offered by all members, so none of them is started separately; the fourth one is. */
    @Test
    void whatAllOfferIsLaunchedByEach() throws Exception {
        List<Recording> devices = List.of(new Recording(), new Recording());
        List<PeerGroup> groups = groups(devices);
        List<Boolean> results = PeerMembers.onAll(SIZE, rank -> {
            LaunchGroupOffer offer = groups.get(rank).offer(sum(1, 0, 1), SHAPE, 3);
            assertTrue(offer.awaitAgreement());
            Completion launched = new Completion();
            offer.launched(launched);
            assertFalse(offer.exchange().isDone(), "before all of it has run");
            launched.complete();
            assertTrue(offer.exchange().await().isInPlace());
            return begin(groups.get(rank), 4, Optional.empty()).await().isInPlace();
        });
        assertEquals(List.of(true, true), results);
        devices.forEach(each -> assertEquals(List.of("start 4"), each.calls));
    }

    /**
     * One member offers all, the other offers fewer or none: then all exchanges run one by one, and no member relies on the first one's
     * operand yet.
     */
    @Test
    void whatSomeOfferGoesOneByOne() throws Exception {
        for (long other : new long[] {0, 2}) {
            List<Recording> devices = List.of(new Recording(), new Recording());
            List<PeerGroup> groups = groups(devices);
            List<Boolean> results = PeerMembers.onAll(SIZE, rank -> {
                PeerGroup group = groups.get(rank);
                PeerGroup.Underway first;
                if (rank == 0 || other > 0) {
                    LaunchGroupOffer offer = group.offer(sum(1, 0, 1), SHAPE, rank == 0 ? 3 : other);
                    assertFalse(offer.awaitAgreement());
                    assertEquals(List.of(), devices.get(rank).calls, "the operand is not there yet");
                    offer.resume(devices.get(rank).prepare(sum(1, 0, 1), null, null), Optional.empty());
                    first = offer.exchange();
                } else {
                    first = begin(group, 1, Optional.empty());
                }
                PeerGroup.Underway second = begin(group, 2, Optional.empty());
                return first.await().isInPlace() && second.await().isInPlace();
            });
            assertEquals(List.of(true, true), results);
            devices.forEach(each -> assertEquals(List.of("start 1", "start 2"), each.calls));
        }
    }

    /** The operand of an exchange whose offer was in vain is computed later, and that may fail. */
    @Test
    void anOperandThatIsLostBehindAnOfferIsToldToAll() throws Exception {
        List<Recording> devices = List.of(new Recording(), new Recording());
        List<PeerGroup> groups = groups(devices);
        Fault fault = Fault.newBuilder().setMessage("index 7 is out of bounds").build();
        List<ExchangeResult> results = PeerMembers.onAll(SIZE, rank -> {
            PeerGroup.Underway lost;
            if (rank == 0) {
                LaunchGroupOffer offer = groups.get(rank).offer(sum(1, 0, 1), SHAPE, 3);
                assertFalse(offer.awaitAgreement());
                offer.resume(null, Optional.of(fault));
                lost = offer.exchange();
            } else {
                lost = begin(groups.get(rank), 1, Optional.empty());
            }
            assertTrue(begin(groups.get(rank), 2, Optional.empty()).await().isInPlace());
            return lost.await();
        });
        results.forEach(each -> assertEquals(
                "index 7 is out of bounds", each.fault().orElseThrow().getMessage()));
        assertEquals(List.of("start 2"), devices.get(0).calls);
        assertEquals(List.of("cancel 1", "start 2"), devices.get(1).calls);
    }

    /** The other member's device would wait forever. */
    @Test
    void aMemberThatDoesNotLaunchWhatWasAgreedEndsTheGroup() throws Exception {
        List<Stuck> devices = List.of(new Stuck(), new Stuck());
        List<PeerGroup> groups = groups(devices);
        List<ExchangeResult> results = PeerMembers.onAll(SIZE, rank -> {
            LaunchGroupOffer offer = groups.get(rank).offer(sum(1, 0, 1), SHAPE, 3);
            assertTrue(offer.awaitAgreement());
            if (rank == 0) {
                offer.leave(new IllegalStateException("the device failed"));
            } else {
                offer.launched(devices.get(rank).open);
            }
            return offer.exchange().await();
        });
        for (ExchangeResult each : results) {
            String told = each.fault().orElseThrow().getMessage();
            assertTrue(told.contains("the device failed"), told);
        }
        devices.forEach(each -> assertTrue(each.calls.contains("abort"), each.calls::toString));
    }

    /** The group may break before or after the operand is handed over; the operand is cancelled in both cases. */
    @Test
    void anOperandBehindABrokenGroupIsCancelled() throws Exception {
        List<Recording> devices = List.of(new Recording(), new Recording());
        List<PeerGroup> groups = groups(devices);
        LaunchGroupOffer offer = groups.get(0).offer(sum(1, 0, 1), SHAPE, 3);
        groups.get(1).close("its session has ended");
        assertFalse(offer.awaitAgreement());
        String told = offer.exchange().await().fault().orElseThrow().getMessage();
        assertTrue(told.contains("its session has ended"), told);
        offer.resume(devices.get(0).prepare(sum(1, 0, 1), null, null), Optional.empty());
        // The failed exchange ends after its result, and then cancels its operand.
        await(() -> devices.get(0).calls.contains("cancel 1"));
    }

    @Test
    void exchangesOfSomeMembersGoByTheLanes() throws Exception {
        List<PeerGroup> groups = groups(List.of(new Recording(), new Recording()));
        assertEquals(Optional.empty(), groups.get(0).devices(sum(1, 0), SHAPE));
    }
}
