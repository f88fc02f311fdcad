/** Statements, transactions, and the columns of records. */
package dev.outpost.backend.store.sql;
