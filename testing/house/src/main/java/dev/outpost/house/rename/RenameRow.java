package dev.outpost.house.rename;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A row of a file of renames.
 *
 * @param target a type {@code p.Type} or {@code p.Outer.Inner}; a method or field {@code p.Type#name}; for a variable its type and a word
 *     of its name, {@code LaunchGroup unit}, with {@code =} before it the whole name; for caught exceptions their type or a star. The name
 *     of a method may be followed by its number of parameters, {@code p.Type#name(1)}
 * @param replacement the new name; for a variable the new word. For a caught exception {@code failure/ignored} also has the name for an
 *     unused exception. A name after a bar is used if the first one is taken, {@code failure|exception}
 * @param where the beginning of the paths in which variables are renamed; empty for all
 */
record RenameRow(Kind kind, String target, String replacement, String where) {
    private static final int MIN_CELLS = 3;
    private static final String EXACTLY = "=";

    enum Kind {
        TYPE,
        METHOD,
        FIELD,
        VARIABLE,
        CAUGHT,
        /** A field or component that rows about words leave as it is, since it is also a name in JSON. */
        KEEP
    }

    /** Reads the rows. Skips empty lines, lines that begin with # and a first row with the names of the columns. */
    static List<RenameRow> read(Path file) throws IOException {
        List<RenameRow> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("kind\t")) {
                rows.add(parse(line));
            }
        }
        return rows;
    }

    static RenameRow parse(String line) {
        String[] cells = line.split("\t", -1);
        if (cells.length < MIN_CELLS && !cells[0].equals("keep")) {
            throw new RefusedRenameException(
                    "a row has a kind, what is renamed and the new name, with tabs between: " + line);
        }
        Kind kind = Kind.valueOf(cells[0].toUpperCase(Locale.ROOT));
        return new RenameRow(kind, cell(cells, 1), cell(cells, 2), cell(cells, 3));
    }

    private static String cell(String[] cells, int position) {
        return position < cells.length ? cells[position].strip() : "";
    }

    /** The part before the member or word. */
    String owner() {
        return target.substring(0, separator());
    }

    /** The member or word. */
    String member() {
        String member = target.substring(separator() + 1);
        int bracket = member.indexOf('(');
        return bracket < 0 ? member : member.substring(0, bracket);
    }

    /** The new words of a row about variables: each is used if the previous one is taken. */
    List<String> replacements() {
        return List.of(replacement.split("\\|"));
    }

    /** The word of a row about variables. */
    String word() {
        return isWholeName() ? member().substring(EXACTLY.length()) : member();
    }

    /** Returns true if a row is about variables with this name, and not about a word of it. */
    boolean isWholeName() {
        return member().startsWith(EXACTLY);
    }

    /** Returns the number of the method's parameters; -1 for any number. */
    int parameters() {
        int bracket = target.indexOf('(');
        return kind != Kind.METHOD || bracket < 0
                ? -1
                : Integer.parseInt(target.substring(bracket + 1, target.length() - 1));
    }

    private int separator() {
        int found = kind == Kind.VARIABLE ? target.lastIndexOf(' ') : target.indexOf('#');
        if (found < 0) {
            throw new RefusedRenameException(
                    kind == Kind.VARIABLE
                            ? "a variable is named as \"Type word\": " + target
                            : "a member is named as p.Type#name: " + target);
        }
        return found;
    }
}
