package dev.outpost.system.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The strongly connected components of a graph that have more than one node: each is a set of packages that all reach one another. */
final class Cycles {
    private Cycles() {}

    /** Uses the algorithm of Kosaraju and Sharir, without recursion. */
    static List<Set<String>> of(Map<String, Set<String>> graph) {
        Map<String, Set<String>> reversed = reversed(graph);
        Set<String> assigned = new HashSet<>();
        List<Set<String>> cycles = new ArrayList<>();
        for (String node : byFinish(graph).reversed()) {
            Set<String> component = new TreeSet<>();
            collect(node, reversed, assigned, component);
            if (component.size() > 1) {
                cycles.add(component);
            }
        }
        return cycles;
    }

    private static Map<String, Set<String>> reversed(Map<String, Set<String>> graph) {
        Map<String, Set<String>> reversed = new TreeMap<>();
        graph.forEach((from, all) -> all.forEach(
                to -> reversed.computeIfAbsent(to, ignored -> new TreeSet<>()).add(from)));
        return reversed;
    }

    private static List<String> byFinish(Map<String, Set<String>> graph) {
        List<String> finished = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String start : graph.keySet()) {
            Deque<String> path = new ArrayDeque<>(List.of(start));
            while (!path.isEmpty()) {
                String node = path.peek();
                seen.add(node);
                String next = graph.getOrDefault(node, Set.of()).stream()
                        .filter(other -> !seen.contains(other))
                        .findFirst()
                        .orElse(null);
                if (next != null) {
                    path.push(next);
                } else {
                    path.pop();
                    if (!finished.contains(node)) {
                        finished.add(node);
                    }
                }
            }
        }
        return finished;
    }

    private static void collect(
            String start, Map<String, Set<String>> graph, Set<String> assigned, Set<String> component) {
        Deque<String> waiting = new ArrayDeque<>(List.of(start));
        while (!waiting.isEmpty()) {
            String node = waiting.pop();
            if (assigned.add(node)) {
                component.add(node);
                waiting.addAll(graph.getOrDefault(node, Set.of()));
            }
        }
    }
}
