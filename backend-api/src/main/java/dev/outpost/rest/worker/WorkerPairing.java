package dev.outpost.rest.worker;

import java.util.List;

/**
 * The report of a host when it is paired.
 *
 * @param keySha256 of the key that it has drawn, {@code wk_NAME_...}, in hex
 * @param gpus the kinds that it has
 * @param machines how many it has room for
 */
public record WorkerPairing(String keySha256, List<String> gpus, Integer machines) {}
