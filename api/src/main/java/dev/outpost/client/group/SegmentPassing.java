package dev.outpost.client.group;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.SegmentBundle;
import dev.outpost.protocol.message.ToRuntime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The way of a segment to the members of a group: once to the first of them, which passes it on, and to the others the word from whom
 * it comes. So it keeps its place among what is sent to each member. Guarded by the ledger's lock.
 */
final class SegmentPassing {
    /** Where the other members' messages have fewer bytes in all, each goes straight to its member. */
    static final int WORTH_BYTES = 512;

    private volatile boolean isOpen;
    private long lastNumber;

    /** The members are connected, and all pass segments on. Any thread. */
    void open() {
        isOpen = true;
    }

    /**
     * The messages to send in place of those that have the members compute a segment.
     *
     * @param members the ranks of the members, in the order of the messages
     * @param program a hash of what was recorded
     */
    List<Message> carriers(List<Integer> members, List<Message> messages, long program) {
        if (!isOpen) {
            return messages;
        }
        List<byte[]> encoded = messages.stream().map(Message::encode).toList();
        if (!isWorth(encoded)) {
            return messages;
        }
        SegmentBundle bundle = SegmentBundle.of(lastNumber + 1, program, members, encoded);
        if (bundle.bytes() > SegmentBundle.MAX_BYTES) {
            return messages;
        }
        lastNumber++;
        Map<Integer, Integer> senders = new HashMap<>();
        addSenders(bundle, senders);
        List<Message> carriers = new ArrayList<>();
        carriers.add(new ToRuntime.PassSegment(bundle));
        for (int member : members.subList(1, members.size())) {
            carriers.add(new ToRuntime.TakeSegment(bundle.number(), program, senders.get(member)));
        }
        return carriers;
    }

    private static boolean isWorth(List<byte[]> encoded) {
        long others =
                encoded.stream().skip(1).mapToLong(message -> message.length).sum();
        boolean isSmall = encoded.stream().allMatch(message -> message.length <= SegmentBundle.MAX_BYTES);
        return others >= WORTH_BYTES && isSmall;
    }

    private static void addSenders(SegmentBundle bundle, Map<Integer, Integer> senders) {
        for (SegmentBundle next : bundle.onward()) {
            senders.put(next.holder(), bundle.holder());
            addSenders(next, senders);
        }
    }
}
