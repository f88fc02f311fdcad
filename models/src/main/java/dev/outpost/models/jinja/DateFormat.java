package dev.outpost.models.jinja;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats dates like Python's {@code strftime}, in English. */
final class DateFormat {
    private DateFormat() {}

    static String format(LocalDateTime time, String format) {
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < format.length(); at++) {
            char character = format.charAt(at);
            if (character == '%' && at + 1 < format.length()) {
                out.append(part(time, format.charAt(++at)));
            } else {
                out.append(character);
            }
        }
        return out.toString();
    }

    private static String part(LocalDateTime time, char code) {
        String pattern = switch (code) {
            case 'Y' -> "yyyy";
            case 'y' -> "yy";
            case 'm' -> "MM";
            case 'd' -> "dd";
            case 'B' -> "MMMM";
            case 'b' -> "MMM";
            case 'A' -> "EEEE";
            case 'a' -> "EEE";
            case 'H' -> "HH";
            case 'I' -> "hh";
            case 'M' -> "mm";
            case 'S' -> "ss";
            case 'p' -> "a";
            case 'j' -> "DDD";
            case '%' -> "'%'";
            default -> throw new JinjaException("template: strftime_now does not know %" + code);
        };
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(time);
    }
}
