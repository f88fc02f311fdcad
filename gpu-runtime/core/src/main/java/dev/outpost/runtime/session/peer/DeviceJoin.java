package dev.outpost.runtime.session.peer;

import dev.outpost.channel.DebugLog;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.MissingMembersException;
import dev.outpost.runtime.peer.BackendChoice;
import dev.outpost.runtime.peer.DeviceOffer;
import dev.outpost.runtime.peer.ExchangeResult;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects the devices of a group's members, if all of them can exchange directly. Thread-safe. */
final class DeviceJoin {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceJoin.class);
    private static final Duration MOST_TIMEOUT = Duration.ofSeconds(30);

    private static final byte FAILED = 0;
    private static final byte JOINED = 1;
    private static final byte ALONE = 2;
    /** The answer of a member that has joined and can exchange within launch groups. */
    private static final byte UNITES = 3;

    private final Optional<DeviceCollectives> collectives;
    private final String group;
    private final String key;
    private final int rank;
    private boolean hasDevice;

    /** @param collectives the exchange library of this member's device; empty if it has none */
    DeviceJoin(Optional<DeviceCollectives> collectives, String group, String key, int rank) {
        this.collectives = collectives;
        this.group = group;
        this.key = key;
        this.rank = rank;
    }

    /** Offers this member's device, unless another group uses it. The first member also draws the id of the group. */
    synchronized Optional<DeviceOffer> offer() {
        hasDevice = collectives.isPresent() && collectives.get().take();
        return collectives.map(own -> hasDevice
                ? new DeviceOffer(
                        own.library(), own.device(), rank == 0 ? Optional.of(own.drawId(key)) : Optional.empty())
                : DeviceOffer.taken(own.library()));
    }

    /** Releases the device for other groups. Does nothing if this group does not use the device. */
    synchronized void end() {
        if (hasDevice) {
            hasDevice = false;
            collectives.orElseThrow().release();
        }
    }

    /**
     * Joins the devices of all members, if their offers allow it. All members agree on whether that succeeded.
     *
     * @param timeout the longest time that members wait for each other
     * @return a description of how the members exchange; empty if no member has a device library
     */
    String join(PeerGroup members, List<Optional<DeviceOffer>> offers, Duration timeout) throws InterruptedException {
        BackendChoice choice = BackendChoice.of(offers);
        if (choice instanceof BackendChoice.Devices devices) {
            choice = joined(members, devices, offers.size(), timeout);
        }
        if (choice instanceof BackendChoice.Lanes) {
            end();
        }
        if (!choice.text().isEmpty()) {
            LOG.info("group {}: member {} exchanges by {}", group, rank, choice.text());
        }
        DebugLog.GROUPS.print(
                "group %s: member %d exchanges by %s",
                group, rank, choice.text().isEmpty() ? "lanes" : choice.text());
        return choice.text();
    }

    private BackendChoice joined(PeerGroup members, BackendChoice.Devices choice, int size, Duration timeout)
            throws InterruptedException {
        Duration ofDevices = timeout.compareTo(MOST_TIMEOUT) < 0 ? timeout : MOST_TIMEOUT;
        Attempt attempt = attempt(choice, size, ofDevices);
        byte[] answers = answers(members, attempt.outcome(), size);
        Optional<String> problem = problem(answers, ofDevices);
        if (problem.isPresent()) {
            attempt.communicator().ifPresent(DeviceCommunicator::abort);
            return new BackendChoice.Lanes(problem);
        }
        DeviceCommunicator communicator = attempt.communicator().orElseThrow();
        boolean doAllUnite = places(answers, UNITES).size() == size;
        try {
            if (doAllUnite) {
                communicator.tryGroups();
            }
        } catch (RuntimeException failure) {
            // Members whose trial exchange succeeded learn through the lanes that this member has failed.
            communicator.abort();
            throw new OutpostException(
                    FaultKind.EXTERNAL,
                    "group: an exchange within a graph of the members' GPUs failed, " + failure.getMessage()
                            + "; outpost.runtime.cuda.exchange-graphs=false keeps exchanges out of graphs");
        } finally {
            communicator.endTrial();
        }
        members.exchangeOnDevices(communicator, timeout);
        return new BackendChoice.Devices(choice.library(), choice.id(), doAllUnite);
    }

    /** The outcome of joining: a communicator, or the reason for having none. */
    private record Attempt(byte outcome, Optional<DeviceCommunicator> communicator) {}

    private Attempt attempt(BackendChoice.Devices choice, int size, Duration timeout) throws InterruptedException {
        DeviceCommunicator joined = null;
        boolean isTried = false;
        try {
            joined = collectives.orElseThrow().join(choice.id(), key, size, rank, timeout);
            byte outcome = joined.prepareGroups(size, timeout) ? UNITES : JOINED;
            isTried = true;
            return new Attempt(outcome, Optional.of(joined));
        } catch (MissingMembersException failure) {
            LOG.warn("group {}: member {} cannot exchange by {}", group, rank, choice.library(), failure);
            return new Attempt(ALONE, Optional.empty());
        } catch (RuntimeException failure) {
            LOG.warn("group {}: member {} cannot exchange by {}", group, rank, choice.library(), failure);
            return new Attempt(FAILED, Optional.empty());
        } finally {
            if (joined != null && !isTried) {
                joined.abort();
                joined.endTrial();
            }
        }
    }

    /**
     * Sends this member's answer to all members, and returns all answers. If a member does not answer, the group ends
     * with an error that names this member.
     */
    private byte[] answers(PeerGroup members, byte own, int size) throws InterruptedException {
        Collective answers = new Collective(
                Collective.Fn.ALL_GATHER,
                new TensorType(DType.UINT8, Shape.of(size)),
                IntStream.range(0, size).boxed().toList(),
                Optional.of(Split.even(0, size, size)),
                Optional.empty(),
                0,
                0);
        ExchangeResult all = members.exchange(answers, Shape.of(1), new byte[] {own}, Optional.empty());
        if (all.fault().isPresent()) {
            throw new OutpostException(
                    FaultKind.EXTERNAL,
                    "group: the members' GPUs could not join: "
                            + all.fault().get().getMessage());
        }
        return all.elements();
    }

    /**
     * Describes why the devices did not join. Names a failed member first, because its failure explains why the other
     * members had no partner.
     */
    private static Optional<String> problem(byte[] answers, Duration timeout) {
        List<Integer> failed = places(answers, FAILED);
        List<Integer> alone = places(answers, ALONE);
        if (!failed.isEmpty()) {
            return Optional.of(named(failed) + " did not join the others");
        }
        return alone.isEmpty()
                ? Optional.empty()
                : Optional.of(named(alone) + " did not find the others within " + timeout.toMillis() + " ms");
    }

    private static List<Integer> places(byte[] answers, byte answer) {
        List<Integer> members = new ArrayList<>();
        for (int member = 0; member < answers.length; member++) {
            if (answers[member] == answer) {
                members.add(member);
            }
        }
        return members;
    }

    private static String named(List<Integer> members) {
        return members.size() == 1 ? "the GPU of member " + members.getFirst() : "the GPUs of members " + members;
    }
}
