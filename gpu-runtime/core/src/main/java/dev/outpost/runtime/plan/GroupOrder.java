package dev.outpost.runtime.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which groups wait for which, while groups are opened, wait for more, and become one. Groups have numbers, from 0 in the
 * order in which they are opened.
 *
 * <p>Invariant: {@code ancestors} of a group are all that it waits for, directly or not.
 */
final class GroupOrder {
    private static final class Node {
        final SharedSet ancestors = new SharedSet();
        /** With them the others follow: what a group waits for, without what one of these waits for. */
        final List<Integer> producers = new ArrayList<>();

        final List<Integer> followers = new ArrayList<>();
        /** The group that it has become a part of, or itself. */
        int into;

        Node(int number) {
            into = number;
        }
    }

    private final List<Node> nodes = new ArrayList<>();

    /** Opens a group; the answer is its number. */
    int open() {
        nodes.add(new Node(nodes.size()));
        return nodes.size() - 1;
    }

    /** Takes back the group that was opened last, for which none waits. */
    void undo() {
        int last = nodes.size() - 1;
        for (int producer : nodes.removeLast().producers) {
            List<Integer> followers = nodes.get(find(producer)).followers;
            followers.remove(followers.lastIndexOf(last));
        }
    }

    /** Whether a group waits for another, directly or not. */
    boolean waits(int group, int other) {
        return nodes.get(group).ancestors.contains(other);
    }

    /** Whether a third group stands between them: it waits for the one, and the other waits for it. */
    boolean isAnyBetween(int from, int to) {
        return nodes.get(to).producers.stream().anyMatch(producer -> waits(find(producer), from));
    }

    /** A group waits for another from now on. */
    void follow(int group, int producer) {
        if (!waits(group, producer)) {
            Node node = nodes.get(group);
            Node other = nodes.get(producer);
            node.producers.add(producer);
            other.followers.add(group);
            node.ancestors.addAll(other.ancestors);
            node.ancestors.add(producer);
            updateFollowers(group);
        }
    }

    /** A group becomes a part of another that does not stand before it, and between which and it none stands. */
    void merge(int from, int into) {
        Node source = nodes.get(from);
        Node target = nodes.get(into);
        source.into = into;
        target.producers.addAll(source.producers);
        target.followers.addAll(source.followers);
        source.producers.clear();
        source.followers.clear();
        if (target.ancestors.addAll(source.ancestors)) {
            updateFollowers(into);
        }
        target.followers.removeIf(follower -> find(follower) == into);
        target.producers.removeIf(producer -> find(producer) == into);
        for (int follower : target.followers) {
            if (!waits(find(follower), into)) {
                nodes.get(find(follower)).ancestors.add(into);
                nodes.get(find(follower)).ancestors.addAll(target.ancestors);
                updateFollowers(find(follower));
            }
        }
    }

    /** Tells the followers of a group all that it waits for. Those that know it have told theirs. */
    private void updateFollowers(int group) {
        Deque<Integer> telling = new ArrayDeque<>(List.of(group));
        while (!telling.isEmpty()) {
            Node teller = nodes.get(telling.remove());
            for (int follower : teller.followers) {
                int number = find(follower);
                if (nodes.get(number).ancestors.addAll(teller.ancestors)) {
                    telling.add(number);
                }
            }
        }
    }

    private int find(int number) {
        int found = number;
        while (nodes.get(found).into != found) {
            // Half as far the next time.
            nodes.get(found).into = nodes.get(nodes.get(found).into).into;
            found = nodes.get(found).into;
        }
        return found;
    }

    /** The groups that a group waits for directly. When all of them are done, so are all others that it waits for. */
    Set<Integer> producers(int group) {
        Set<Integer> producers = new LinkedHashSet<>();
        nodes.get(group).producers.forEach(producer -> producers.add(find(producer)));
        return producers;
    }
}
