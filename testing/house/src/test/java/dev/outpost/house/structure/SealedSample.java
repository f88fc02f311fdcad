package dev.outpost.house.structure;

/** A sealed type that does nothing with its permitted type. */
sealed interface SealedSample permits PermittedSample {}
