package dev.outpost.client.group;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.SegmentBundle;
import dev.outpost.protocol.message.ToRuntime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends a segment to the first member, which passes it on to the others. The others get a message that names the
 * sender of the segment, so that the segment keeps its place in the order of their messages. Guarded by the ledger's
 * lock.
 */
final class SegmentPassing {
    /**
     * The minimum total bytes of the other members' messages for which passing saves time. Below it, each message is
     * sent directly to its member.
     */
    static final int WORTH_BYTES = 512;

    private volatile boolean isOpen;
    private long lastNumber;

    /** Called when the members are connected, and all pass segments on. Any thread may call it. */
    void open() {
        isOpen = true;
    }

    /**
     * Returns the messages to send instead of those that make the members compute a segment.
     *
     * @param members the ranks of the members, in the order of the messages
     * @param program a hash of the recorded segments
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
