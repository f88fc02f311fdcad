package dev.outpost.provider.process.state;

import dev.outpost.channel.Trust;
import dev.outpost.provider.fleet.MachineAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The announcement that a ready runtime prints on its standard output.
 *
 * @param address the address of the machine
 * @param device the name of the device
 */
public record Announcement(MachineAddress address, String device) {
    private static final String LAST = "device";

    /** Parses the output; empty if the announcement is not complete yet. */
    static Optional<Announcement> parse(String output) {
        Map<String, String> said = new HashMap<>();
        for (String line : output.substring(0, output.lastIndexOf('\n') + 1).split("\n")) {
            String[] words = line.split("\\s+", 2);
            said.put(words[0], words.length == 2 ? words[1] : "");
        }
        return said.containsKey(LAST) ? Optional.of(of(said)) : Optional.empty();
    }

    private static Announcement of(Map<String, String> said) {
        String endpoint = said.get("endpoint");
        int colon = endpoint.lastIndexOf(':');
        MachineAddress address = new MachineAddress(
                endpoint.substring(0, colon).replaceAll("[\\[\\]]", ""),
                Integer.parseInt(endpoint.substring(colon + 1)),
                new Trust.Pin(said.get("pin")));
        return new Announcement(address, said.get(LAST));
    }
}
