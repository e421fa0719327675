/* Object code in ELF64 for this processor, as LLVM writes it for kernels: see elf(5).
 *
 * Arbitrary bytes cannot crash the reader: what does not fit is reported with the name of the section or
 * symbol. This file is independent of Python. */
#ifndef FRAMEJIT_OBJECT_FILE_H
#define FRAMEJIT_OBJECT_FILE_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

/* Size of a reason, including the final 0. */
enum { FJ_ELF_REASON = 256 };

/* The address of a function outside of the object; 0 where nobody knows it. */
typedef uintptr_t (*fj_elf_find)(const char *name, void *table);

#define FJ_ELF_NOWHERE ((size_t)-1)

typedef struct {
    const unsigned char *bytes; /* borrowed */
    size_t size;
    Elf64_Shdr *sections; /* owned; what they say of the file has been checked */
    size_t n_sections;
    size_t *places; /* owned: for each section where it stands in the image, or FJ_ELF_NOWHERE */
    const char *section_names; /* in the bytes; a 0 ends the last one */
    size_t section_names_size;
    size_t symbol_section; /* the number of the table of symbols */
    size_t n_symbols;
    const char *symbol_names;
    size_t symbol_names_size;
    size_t slots;   /* where the table of addresses stands in the image, behind the sections */
    size_t n_slots;
    size_t image;   /* bytes of the image: all that a kernel needs in memory */
    size_t entry;   /* where the function stands in the image that was asked for */
    char reason[FJ_ELF_REASON];
} fj_elf;

/* Parse object code, which stays borrowed; -1 with a reason. `symbol` is the function that is called. Call
 * fj_elf_close in either case. */
int fj_elf_open(fj_elf *elf, const unsigned char *bytes, size_t size, const char *symbol);

/* Writes the image to a buffer, as it is to stand at an address; -1 with a reason. */
int fj_elf_write(fj_elf *elf, unsigned char *buffer, uintptr_t address, fj_elf_find find, void *table);

/* Frees what was owned; the reason stays. */
void fj_elf_close(fj_elf *elf);

/* ---- between object_file.c and image.c ------------------------------------------------------------ */

/* A slot of the table of addresses: an address, and where code is to get there by a near call, a jump. */
enum { FJ_ELF_SLOT = 16 };

/* Sets the reason, with a name in it; always -1. */
int fj_elf_refuse(fj_elf *elf, const char *format, const char *name);

/* The symbol of this number; there is one. */
Elf64_Sym fj_elf_symbol(const fj_elf *elf, size_t number);

/* The name of a section and of a symbol; "" where it has none. */
const char *fj_elf_section_name(const fj_elf *elf, size_t number);
const char *fj_elf_symbol_name(const fj_elf *elf, const Elf64_Sym *symbol);

/* Looks through the relocations of what stands in the image, and counts those that need a slot. */
int fj_elf_count_slots(fj_elf *elf);

#endif
