package dev.outpost.house.structure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The strongly connected components of a graph that have more than one node (Tarjan, 1972). */
public final class ClassCycles {
    private final Map<String, Set<String>> graph;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Map<String, Integer> lowLinks = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();
    private final Set<String> onStack = new HashSet<>();
    private final List<Set<String>> found = new ArrayList<>();

    private ClassCycles(Map<String, Set<String>> graph) {
        this.graph = graph;
    }

    /** The cycles, largest first. */
    public static List<Set<String>> of(Map<String, Set<String>> graph) {
        ClassCycles cycles = new ClassCycles(graph);
        graph.keySet().forEach(cycles::visitNew);
        cycles.found.sort(Comparator.<Set<String>>comparingInt(Set::size).reversed());
        return cycles.found;
    }

    private void visitNew(String node) {
        if (!indexes.containsKey(node)) {
            visit(node);
        }
    }

    private void visit(String node) {
        int index = indexes.size();
        indexes.put(node, index);
        lowLinks.put(node, index);
        stack.push(node);
        onStack.add(node);
        for (String next : graph.get(node)) {
            visitNew(next);
            if (onStack.contains(next)) {
                lowLinks.merge(node, lowLinks.get(next), Math::min);
            }
        }
        if (lowLinks.get(node) == index) {
            popComponent(node);
        }
    }

    private void popComponent(String root) {
        Set<String> component = new TreeSet<>();
        String popped;
        do {
            popped = stack.pop();
            onStack.remove(popped);
            component.add(popped);
        } while (!popped.equals(root));
        if (component.size() > 1) {
            found.add(component);
        }
    }
}
