package dev.outpost.bench.lan;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The links of a measurement.
 *
 * @param text the text that was parsed
 * @param megabits megabits per second in each direction; 0 for no limit
 * @param delay the delay of each frame
 */
record LinkKind(String text, int megabits, Duration delay) {
    private static final Pattern FORM = Pattern.compile("(?:(\\d{1,5})(gbit|mbit)|none)(?:\\+(\\d{1,4})ms)?");
    private static final int MEGABITS_OF_A_GIGABIT = 1000;

    /** Parses {@code 1gbit}, {@code 100mbit+2ms}, or {@code none} for links without a limit. */
    static LinkKind parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "--links: expected links such as 1gbit, 100mbit+2ms or none, got \"" + text + "\"");
        }
        int unit = "gbit".equals(form.group(2)) ? MEGABITS_OF_A_GIGABIT : 1;
        int rate = form.group(1) == null ? 0 : Integer.parseInt(form.group(1)) * unit;
        long millis = form.group(3) == null ? 0 : Long.parseLong(form.group(3));
        return new LinkKind(text, rate, Duration.ofMillis(millis));
    }

    @Override
    public String toString() {
        return text;
    }
}
