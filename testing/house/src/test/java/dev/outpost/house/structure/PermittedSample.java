package dev.outpost.house.structure;

record PermittedSample() implements SealedSample {}
