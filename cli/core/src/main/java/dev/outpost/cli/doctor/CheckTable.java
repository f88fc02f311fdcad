package dev.outpost.cli.doctor;

import dev.outpost.cli.support.TextTable;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.library.LibrarySearch;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints the results of checks, the places where CUDA's libraries were searched, and the remedies. */
public final class CheckTable {
    private CheckTable() {}

    public static void printResults(List<CheckResult> results, PrintWriter out) {
        TextTable table = new TextTable("CHECK", "STATUS", "WHAT WAS FOUND");
        results.forEach(result -> table.row(result.name(), shown(result.outcome()), oneLine(result.detail())));
        table.lines().forEach(out::println);
    }

    /**
     * Prints a line for each place, in the order of the search. The search for a library ends at the place where it
     * is found.
     */
    public static void printSearches(List<LibrarySearch> searches, PrintWriter out) {
        TextTable table = new TextTable("LIBRARIES ARE LOOKED FOR IN", "FOLDER", "LIBRARY", "THERE");
        for (LibrarySearch search : searches) {
            search.attempts()
                    .forEach(attempt -> table.row(
                            attempt.place().origin(),
                            attempt.place().folder().map(Object::toString).orElse(""),
                            search.library().title(),
                            attempt.outcome().isEmpty() ? "-" : attempt.outcome()));
        }
        table.lines().forEach(out::println);
    }

    public static void printRemedies(List<CheckResult> results, PrintWriter out) {
        List<CheckResult> open =
                results.stream().filter(result -> !result.remedy().isEmpty()).toList();
        if (!open.isEmpty()) {
            out.println();
            out.println("WHAT TO DO");
        }
        open.forEach(result -> out.println(result.name() + ": " + result.remedy()));
    }

    private static String shown(CheckOutcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static String oneLine(String detail) {
        return detail.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
