package dev.outpost.protocol.peer;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.op.Collective;
import dev.outpost.types.MalformedException;
import java.util.ArrayList;
import java.util.List;

/** What a client asks a session's machine about the group that the session is to be a member of. A machine answers bytes, or a fault. */
public sealed interface PeerQuestion {
    /**
     * Be ready for the other members. The answer is the address, in UTF-8, at which they find this one.
     *
     * @param group a name that no other group has
     * @param key a secret of the group's: members show each other that they know it
     * @param rank which member this is
     * @param size how many members there are
     */
    record Open(String group, String key, int rank, int size) implements PeerQuestion {
        @Override
        public String toString() {
            return "Open[group=" + group + ", key=hidden, rank=" + rank + ", size=" + size + "]";
        }
    }

    /**
     * Connect with the other members. The answer is empty, and comes once all are connected.
     *
     * @param addresses of all members, by rank
     * @param patienceMillis how long a member waits for another one at most
     */
    record Join(List<String> addresses, long patienceMillis) implements PeerQuestion {
        public Join {
            addresses = List.copyOf(addresses);
        }
    }

    default byte[] encode() {
        ByteWriter out = new ByteWriter();
        switch (this) {
            case Open open -> {
                out.u8(1);
                out.string(open.group);
                out.string(open.key);
                out.varint(open.rank);
                out.varint(open.size);
            }
            case Join join -> {
                out.u8(2);
                out.varint(join.addresses.size());
                join.addresses.forEach(out::string);
                out.varint(join.patienceMillis);
            }
        }
        return out.toByteArray();
    }

    static PeerQuestion decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int kind = in.u8();
        PeerQuestion question = switch (kind) {
            case 1 -> readOpen(in);
            case 2 -> readJoin(in);
            default -> throw new MalformedException("question " + kind + " about peers is unknown");
        };
        in.expectEnd("a question about peers");
        return question;
    }

    private static Open readOpen(ByteReader in) {
        Open open = new Open(in.string(), in.string(), in.smallInt("rank"), in.smallInt("size"));
        if (open.size < 1 || open.size > Collective.MOST_MEMBERS || open.rank >= open.size) {
            throw new MalformedException("member " + open.rank + " of " + open.size + " cannot be");
        }
        return open;
    }

    private static Join readJoin(ByteReader in) {
        int count = in.count("members", 1);
        if (count > Collective.MOST_MEMBERS) {
            throw new MalformedException("a group has " + count + " members, over " + Collective.MOST_MEMBERS);
        }
        List<String> addresses = new ArrayList<>(count);
        for (int rank = 0; rank < count; rank++) {
            addresses.add(in.string());
        }
        return new Join(addresses, in.varint());
    }
}
