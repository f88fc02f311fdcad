package dev.outpost.runtime.peer.network;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerLostException;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Connects members of a group within one process, which pass elements without copying them. All runtimes of the
 * process share one object of this class.
 */
public final class LocalPeerNetwork implements PeerNetwork {
    private static final String ADDRESS = "in this process";

    private final Map<String, Meeting> meetings = new ConcurrentHashMap<>();

    @Override
    public PeerRendezvous open(String group, String key, int rank, int size) throws IOException {
        Meeting meeting = meetings.computeIfAbsent(group, name -> new Meeting(name, key, size));
        meeting.enter(rank, key, size);
        return new Entrance(meeting, rank);
    }

    /** Returns the number of groups that have members here. */
    public int groups() {
        return meetings.size();
    }

    private final class Meeting {
        private final String group;
        private final String key;
        private final int size;
        private final Set<Integer> members = new HashSet<>();
        private final Map<List<Integer>, Mailbox> mailboxes = new HashMap<>();
        private final Map<List<Integer>, Teller> tellers = new HashMap<>();

        Meeting(String group, String key, int size) {
            this.group = group;
            this.key = key;
            this.size = size;
        }

        synchronized void enter(int rank, String shown, int sizeShown) throws IOException {
            if (!key.equals(shown) || sizeShown != size || rank >= size || !members.add(rank)) {
                throw new IOException("group " + group + ": member " + rank + " of " + sizeShown
                        + " is not expected, or is there already");
            }
        }

        /** Returns the mailbox for messages from one member to another. Creates it at the first call. */
        synchronized Mailbox mailbox(int from, int to, Duration timeout) {
            return mailboxes.computeIfAbsent(List.of(from, to), pair -> new Mailbox(from, timeout));
        }

        /** Returns the source of the first member's state for the second one. */
        synchronized Teller teller(int from, int to) {
            return tellers.computeIfAbsent(List.of(from, to), pair -> new Teller());
        }

        synchronized void leave(int rank) {
            members.remove(rank);
            if (members.isEmpty()) {
                meetings.remove(group, this);
            }
        }
    }

    private record Entrance(Meeting meeting, int rank) implements PeerRendezvous {
        @Override
        public String address() {
            return ADDRESS;
        }

        @Override
        public List<PeerLane> connect(List<String> addresses, Duration timeout) throws IOException {
            if (addresses.size() != meeting.size || !addresses.stream().allMatch(ADDRESS::equals)) {
                throw new IOException("group " + meeting.group + ": expected " + meeting.size
                        + " members in this process, got " + addresses);
            }
            List<PeerLane> lanes = new ArrayList<>();
            for (int other = 0; other < meeting.size; other++) {
                lanes.add(
                        other == rank
                                ? null
                                : new Lane(
                                        meeting.mailbox(rank, other, timeout),
                                        meeting.mailbox(other, rank, timeout),
                                        meeting.teller(rank, other),
                                        meeting.teller(other, rank)));
            }
            return lanes;
        }

        @Override
        public void close() {
            meeting.leave(rank);
        }
    }

    /** The source of the state that a member sends to another. */
    private static final class Teller {
        volatile Supplier<byte[]> state;
    }

    /**
     * @param outgoing the mailbox from which the other member takes messages
     * @param own the source of this member's state for the other
     */
    private record Lane(Mailbox outgoing, Mailbox incoming, Teller own, Teller other) implements PeerLane {
        @Override
        public Optional<Slice> state() {
            return Optional.ofNullable(other.state).map(Supplier::get).map(Slice::new);
        }

        @Override
        public void sendState(Supplier<byte[]> state) {
            own.state = state;
        }

        @Override
        public void expect(long number, long program, long bytes) {
            incoming.expect(number, program, bytes);
        }

        @Override
        public void send(PeerMessage message) {
            try {
                outgoing.put(message);
            } catch (PeerLostException peerLost) {
                // A network connection would be closed here too.
                breakUp(peerLost.getMessage());
                throw peerLost;
            }
        }

        @Override
        public void awaitReady(long number) throws InterruptedException {
            incoming.awaitReady(number);
        }

        @Override
        public PeerMessage receive(long number, int step) throws InterruptedException {
            return incoming.take(number, step);
        }

        @Override
        public PeerMessage takeSegment(long number) throws InterruptedException {
            return incoming.takeSegment(number);
        }

        @Override
        public void end(long number) {
            incoming.end(number);
        }

        @Override
        public void whenBroken(Consumer<String> listener) {
            incoming.whenBroken(listener);
        }

        @Override
        public void leave(String reason) {
            close(reason, false);
        }

        @Override
        public void breakUp(String reason) {
            close(reason, true);
        }

        private void close(String reason, boolean breaks) {
            outgoing.close(reason, breaks);
            incoming.close(reason, breaks);
        }
    }
}
