package dev.outpost.runtime.peer;

import java.util.List;
import java.util.Optional;

/**
 * The way the members of a group exchange: directly between their devices if all can, otherwise over the lanes between
 * hosts.
 */
public sealed interface BackendChoice {
    /** Returns a description for log messages and answers. */
    String text();

    /**
     * Exchanges between the devices.
     *
     * @param id the id by which the members find each other
     * @param isWithinUnits true if exchanges can also be part of launch groups
     */
    record Devices(String library, byte[] id, boolean isWithinUnits) implements BackendChoice {
        /** Devices whose exchanges are launched one by one. */
        public Devices(String library, byte[] id) {
            this(library, id, false);
        }

        @Override
        public String text() {
            return isWithinUnits ? library + ", also within graphs" : library;
        }
    }

    /**
     * Exchanges over the lanes.
     *
     * @param reason why the devices do not exchange; empty if no member has a library for that
     */
    record Lanes(Optional<String> reason) implements BackendChoice {
        @Override
        public String text() {
            return reason.map(why -> "lanes between hosts: " + why).orElse("");
        }
    }

    /**
     * Returns the choice. All members choose the same backend, because all have the same offers.
     *
     * @param offers the offers of all members, by rank
     */
    static BackendChoice of(List<Optional<DeviceOffer>> offers) {
        if (offers.stream().allMatch(Optional::isEmpty)) {
            return new Lanes(Optional.empty());
        }
        for (int rank = 0; rank < offers.size(); rank++) {
            if (offers.get(rank).isEmpty()) {
                return lanes("member " + rank + " has no library for exchanges between GPUs");
            }
        }
        List<DeviceOffer> all = offers.stream().map(Optional::get).toList();
        for (int rank = 0; rank < all.size(); rank++) {
            if (all.get(rank).isTaken()) {
                return lanes("the GPU of member " + rank + " exchanges for another group");
            }
        }
        for (int rank = 1; rank < all.size(); rank++) {
            String library = all.get(rank).library();
            if (!library.equals(all.getFirst().library())) {
                return lanes("member 0 has " + all.getFirst().library() + ", member " + rank + " has " + library);
            }
            for (int other = 0; other < rank; other++) {
                if (all.get(other).device().equals(all.get(rank).device())) {
                    return lanes("members " + other + " and " + rank + " have one GPU, "
                            + all.get(rank).device());
                }
            }
        }
        return all.getFirst()
                .id()
                .<BackendChoice>map(id -> new Devices(all.getFirst().library(), id))
                .orElseGet(() -> lanes("member 0 created no id"));
    }

    private static Lanes lanes(String reason) {
        return new Lanes(Optional.of(reason));
    }
}
