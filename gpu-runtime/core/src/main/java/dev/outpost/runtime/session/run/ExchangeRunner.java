package dev.outpost.runtime.session.run;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.peer.ExchangeResult;
import dev.outpost.runtime.peer.LaunchGroupOffer;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.peer.SessionPeers;
import dev.outpost.runtime.session.schedule.TimeSlice;
import dev.outpost.types.Shape;
import java.util.Optional;
import java.util.function.Function;

/**
 * Exchanges elements with the other members of a session's group, directly between devices or through the hosts.
 * Releases the time slice before it waits for other members. Used by the worker thread alone.
 */
final class ExchangeRunner {
    private static final byte[] NOTHING = new byte[0];

    private final SessionContext context;
    private final SessionPeers peers;
    private final TimeSlice slice;

    ExchangeRunner(SessionContext context) {
        this.context = context;
        this.peers = context.peers();
        this.slice = context.slice();
    }

    /** Returns the kernel for exchanges within a launch group; empty if exchanges are begun one by one. */
    Optional<Kernel> exchanger() {
        return context.device() == null ? Optional.empty() : peers.exchanger();
    }

    /** Returns true if an exchange runs directly between devices. */
    boolean isOnDevices(Collective collective, Shape given) throws InterruptedException {
        return peers.devices(collective, given).isPresent();
    }

    /**
     * Offers the other members to launch several exchanges at once.
     *
     * @param first the first exchange
     * @param given the shape of the elements that this member sends in the first exchange
     * @param last the last exchange
     */
    LaunchGroupOffer offer(Collective first, Shape given, Collective last) throws InterruptedException {
        slice.release();
        return peers.offer(first, given, last.number());
    }

    /**
     * Begins an exchange. If this member has lost its operand, informs the other members.
     *
     * @param operand the operand; null if this member has lost it
     * @param room the memory for the result of an exchange between devices; null if there is no room
     * @param lost the fault of this member's lost operand, or null
     * @param failed creates the fault of an operand that cannot be read
     * @param offer the refused offer that this exchange carried; null if there was none
     */
    PeerGroup.Underway begin(
            Collective collective,
            Array operand,
            RefCountedStorage room,
            Fault lost,
            Function<Throwable, Fault> failed,
            LaunchGroupOffer offer)
            throws InterruptedException {
        if (!peers.isJoined()) {
            slice.release();
        }
        Optional<DeviceCommunicator> devices = peers.devices(collective, operand == null ? null : operand.shape());
        return devices.isPresent()
                ? beginOnDevices(devices.get(), collective, operand, room, lost, failed, offer)
                : beginByHost(collective, operand, lost, failed);
    }

    private PeerGroup.Underway beginOnDevices(
            DeviceCommunicator devices,
            Collective collective,
            Array operand,
            RefCountedStorage room,
            Fault lost,
            Function<Throwable, Fault> failed,
            LaunchGroupOffer offer)
            throws InterruptedException {
        DeviceExchange prepared = null;
        Fault reason = lost;
        if (reason == null) {
            slice.take();
            try {
                prepared = devices.prepare(collective, operand, room.buffer());
            } catch (RuntimeException | Error failure) {
                reason = failed.apply(failure);
            }
        }
        slice.release();
        if (offer != null) {
            offer.resume(prepared, Optional.ofNullable(reason));
            return offer.exchange();
        }
        Shape given = prepared == null || operand == null ? null : operand.shape();
        return peers.begin(collective, given, prepared, Optional.ofNullable(reason));
    }

    private PeerGroup.Underway beginByHost(
            Collective collective, Array operand, Fault lost, Function<Throwable, Fault> failed)
            throws InterruptedException {
        byte[] elements = NOTHING;
        Fault reason = lost;
        if (operand != null) {
            try {
                elements = context.engine()
                        .read(operand, 0, Math.toIntExact(operand.shape().elements()));
            } catch (RuntimeException | Error failure) {
                reason = failed.apply(failure);
            }
        }
        slice.release();
        Shape given = operand == null || reason != null ? null : operand.shape();
        return peers.begin(collective, given, elements, Optional.ofNullable(reason));
    }

    /** Waits for the other members. Releases the time slice first if the exchange is not done. */
    ExchangeResult await(PeerGroup.Underway exchange) throws InterruptedException {
        if (!exchange.isDone()) {
            slice.release();
        }
        return exchange.await();
    }
}
