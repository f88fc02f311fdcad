package dev.outpost.runtime.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tracks which fusion groups wait for which others, while groups are opened and merged. Groups are numbered from 0 in
 * the order in which they are opened.
 *
 * <p>Invariant: {@code ancestors} of a group contains all groups that it waits for, directly or indirectly.
 */
final class GroupOrder {
    private static final class Node {
        final SharedSet ancestors = new SharedSet();
        /**
         * The groups that it waits for directly, without those for which another of its producers waits. The followers are the reverse
         * relation.
         */
        final List<Integer> producers = new ArrayList<>();

        final List<Integer> followers = new ArrayList<>();
        /** The group into which it was merged, or itself. */
        int into;

        Node(int number) {
            into = number;
        }
    }

    private final List<Node> nodes = new ArrayList<>();

    /** Opens a group, and returns its number. */
    int open() {
        nodes.add(new Node(nodes.size()));
        return nodes.size() - 1;
    }

    /** Removes the group that was opened last. No group may wait for it. */
    void undo() {
        int last = nodes.size() - 1;
        for (int producer : nodes.removeLast().producers) {
            List<Integer> followers = nodes.get(find(producer)).followers;
            followers.remove(followers.lastIndexOf(last));
        }
    }

    /** Returns true if a group waits for another, directly or indirectly. */
    boolean waits(int group, int other) {
        return nodes.get(group).ancestors.contains(other);
    }

    /** Returns true if a third group waits for {@code from}, and {@code to} waits for it. */
    boolean isAnyBetween(int from, int to) {
        return nodes.get(to).producers.stream().anyMatch(producer -> waits(find(producer), from));
    }

    /** Makes a group wait for another. */
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

    /**
     * Merges a group into another one, which must not be an ancestor of it. No third group may be between the two.
     */
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

    /**
     * Adds the ancestors of a group to its followers. Stops at followers that have them already, because then the
     * followers of these have them too.
     */
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
            // Halves the path for the next search.
            nodes.get(found).into = nodes.get(nodes.get(found).into).into;
            found = nodes.get(found).into;
        }
        return found;
    }

    /**
     * Returns the groups that a group waits for directly. When these have run, all others that it waits for have run
     * too.
     */
    Set<Integer> producers(int group) {
        Set<Integer> producers = new LinkedHashSet<>();
        nodes.get(group).producers.forEach(producer -> producers.add(find(producer)));
        return producers;
    }
}
