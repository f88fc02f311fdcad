package dev.outpost.gpucheck.part;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The file of the parts that have run on a GPU, one line for each. It may be copied from machine to machine. */
public final class PartRecords {
    private static final String FILE = "gpu-check.results";

    private final Path file;
    private final Map<CheckPart, PartRecord> records = new EnumMap<>(CheckPart.class);

    private PartRecords(Path file) {
        this.file = file;
    }

    /** Reads the records of a folder, which may have none yet. */
    public static PartRecords in(Path folder) throws IOException {
        PartRecords records = new PartRecords(folder.resolve(FILE));
        if (Files.exists(records.file)) {
            Files.readAllLines(records.file).stream()
                    .filter(line -> !line.isBlank())
                    .map(PartRecord::read)
                    .forEach(record -> records.records.put(record.part(), record));
        }
        return records;
    }

    public Optional<PartRecord> of(CheckPart part) {
        return Optional.ofNullable(records.get(part));
    }

    /** Writes the findings of a run at once, because the next part may end the process. */
    public void add(PartRecord found) throws IOException {
        PartRecord earlier = records.get(found.part());
        records.put(found.part(), earlier == null ? found : found.after(earlier));
        List<String> lines = records.values().stream().map(PartRecord::line).toList();
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }

    /**
     * Returns the next part to run: the first open one that has not run, or whose cases are not all done. If there is no other, a skipped
     * part is tried again, because another machine may have what it lacked.
     */
    public Optional<CheckPart> next() {
        return firstOpen(part -> of(part).isEmpty()
                        || of(part).get().outcome() != PartRecord.Outcome.SKIPPED
                                && !of(part).get().isFinished())
                .or(() -> firstOpen(part -> !of(part).orElseThrow().isFinished()));
    }

    private static Optional<CheckPart> firstOpen(Predicate<CheckPart> wanted) {
        Stream<CheckPart> open = Arrays.stream(CheckPart.values()).filter(CheckPart::isOpen);
        return open.filter(wanted).findFirst();
    }

    /** Returns the number of cases of a part that were tried so far, if some are left. */
    public long done(CheckPart part) {
        return of(part).filter(record -> !record.isFinished())
                .filter(record -> record.outcome() != PartRecord.Outcome.SKIPPED)
                .map(record -> record.progress().done())
                .orElse(0L);
    }
}
