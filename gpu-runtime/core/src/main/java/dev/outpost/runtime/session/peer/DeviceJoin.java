package dev.outpost.runtime.session.peer;

import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.peer.BackendChoice;
import dev.outpost.runtime.peer.DeviceOffer;
import dev.outpost.runtime.peer.Exchanged;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the devices of a group's members find each other, where all can exchange by themselves. */
final class DeviceJoin {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceJoin.class);
    private static final byte JOINED = 1;

    private final Optional<DeviceCollectives> collectives;
    private final String group;
    private final String key;
    private final int rank;

    /** @param collectives of this member's device */
    DeviceJoin(Optional<DeviceCollectives> collectives, String group, String key, int rank) {
        this.collectives = collectives;
        this.group = group;
        this.key = key;
        this.rank = rank;
    }

    /** The first member draws the id of the group. */
    Optional<DeviceOffer> offer() {
        return collectives.map(own -> new DeviceOffer(
                own.library(), own.device(), rank == 0 ? Optional.of(own.drawId(key)) : Optional.empty()));
    }

    /**
     * Joins the other members' devices, where that is what the offers lead to. All members agree on whether that has worked.
     *
     * @return how the members exchange, for people; empty where no member has such a way
     */
    String join(PeerGroup members, List<Optional<DeviceOffer>> offers) throws InterruptedException {
        BackendChoice choice = BackendChoice.of(offers);
        if (choice instanceof BackendChoice.Devices devices) {
            choice = joined(members, devices, offers.size());
        }
        if (!choice.text().isEmpty()) {
            LOG.info("group {}: member {} exchanges by {}", group, rank, choice.text());
        }
        return choice.text();
    }

    private BackendChoice joined(PeerGroup members, BackendChoice.Devices choice, int size)
            throws InterruptedException {
        Optional<DeviceCommunicator> communicator = communicator(choice, size);
        int failed = failed(members, communicator.isPresent(), size);
        if (failed < 0) {
            members.exchangeOnDevices(communicator.orElseThrow());
            return choice;
        }
        communicator.ifPresent(DeviceCommunicator::abort);
        return new BackendChoice.Lanes(Optional.of("the GPU of member " + failed + " did not join the others"));
    }

    private Optional<DeviceCommunicator> communicator(BackendChoice.Devices choice, int size) {
        try {
            return Optional.of(collectives.orElseThrow().join(choice.id(), key, size, rank));
        } catch (RuntimeException failed) {
            LOG.warn("group {}: member {} cannot exchange by {}", group, rank, choice.library(), failed);
            return Optional.empty();
        }
    }

    /** The first member that has not joined; -1 where all have. Every member gives a byte to all. */
    private int failed(PeerGroup members, boolean isJoined, int size) throws InterruptedException {
        Collective answers = new Collective(
                Collective.Fn.ALL_GATHER,
                new TensorType(DType.UINT8, Shape.of(size)),
                IntStream.range(0, size).boxed().toList(),
                Optional.of(Split.even(0, size, size)),
                Optional.empty(),
                0,
                0);
        byte[] own = {isJoined ? JOINED : 0};
        Exchanged all = members.exchange(answers, Shape.of(1), own, Optional.empty());
        for (int member = 0; member < all.elements().length; member++) {
            if (all.elements()[member] != JOINED) {
                return member;
            }
        }
        return all.fault().isPresent() ? rank : -1;
    }
}
