/* Parses object code: headers, sections, symbols, and the layout in memory.
 *
 * Each number of the file is checked before use: tables are inside the file, names end, sections are of kinds
 * that kernels have. Objects that depend on others, or that others depend on, are refused by name. */
#include "object_file.h"
#include "code_memory.h"
#include "processor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size of the image: far more than a kernel has, and no sum of sizes overflows. */
#define MOST ((size_t)64 << 20)
enum { MOST_SECTIONS = 4096 };

int
fj_elf_refuse(fj_elf *elf, const char *format, const char *name)
{
    snprintf(elf->reason, sizeof(elf->reason), format, name);
    return -1;
}

/* 1 if so many bytes from there on are in the file. */
static int
is_inside(const fj_elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->size && size <= elf->size - offset;
}

static const char *
name_at(const char *names, size_t size, size_t offset)
{
    return offset < size ? names + offset : "";
}

const char *
fj_elf_section_name(const fj_elf *elf, size_t number)
{
    return name_at(elf->section_names, elf->section_names_size, elf->sections[number].sh_name);
}

const char *
fj_elf_symbol_name(const fj_elf *elf, const Elf64_Sym *symbol)
{
    if (ELF64_ST_TYPE(symbol->st_info) == STT_SECTION && symbol->st_name == 0 &&
        symbol->st_shndx < elf->n_sections) {
        return fj_elf_section_name(elf, symbol->st_shndx);
    }
    return name_at(elf->symbol_names, elf->symbol_names_size, symbol->st_name);
}

Elf64_Sym
fj_elf_symbol(const fj_elf *elf, size_t number)
{
    Elf64_Sym symbol;
    size_t table = elf->sections[elf->symbol_section].sh_offset;
    memcpy(&symbol, elf->bytes + table + number * sizeof(symbol), sizeof(symbol));
    return symbol;
}

/* Copies the headers of the sections, of which all lie in the file. */
static int
read_sections(fj_elf *elf, const Elf64_Ehdr *header)
{
    size_t count = header->e_shnum;
    if (count == 0 || count > MOST_SECTIONS || header->e_shentsize != sizeof(Elf64_Shdr) ||
        !is_inside(elf, header->e_shoff, count * sizeof(Elf64_Shdr))) {
        return fj_elf_refuse(elf, "the %s are not in the file", "sections");
    }
    elf->sections = malloc(count * sizeof(Elf64_Shdr));
    elf->places = malloc(count * sizeof(size_t));
    if (elf->sections == NULL || elf->places == NULL) {
        return fj_elf_refuse(elf, "there is no memory for its %s", "sections");
    }
    memcpy(elf->sections, elf->bytes + header->e_shoff, count * sizeof(Elf64_Shdr));
    elf->n_sections = count;
    for (size_t k = 0; k < count; k++) {
        const Elf64_Shdr *section = &elf->sections[k];
        elf->places[k] = FJ_ELF_NOWHERE;
        if (section->sh_type != SHT_NULL && section->sh_type != SHT_NOBITS &&
            !is_inside(elf, section->sh_offset, section->sh_size)) {
            return fj_elf_refuse(elf, "the %s are not in the file", "contents of a section");
        }
    }
    return 0;
}

/* The names in a section: they end within it. */
static int
read_names(fj_elf *elf, size_t number, const char **names, size_t *size)
{
    if (number >= elf->n_sections || elf->sections[number].sh_type != SHT_STRTAB) {
        return fj_elf_refuse(elf, "there are no names of %s", "sections or symbols");
    }
    *names = (const char *)elf->bytes + elf->sections[number].sh_offset;
    *size = elf->sections[number].sh_size;
    if (*size > 0 && (*names)[*size - 1] != '\0') {
        return fj_elf_refuse(elf, "the names of %s do not end", "sections or symbols");
    }
    return 0;
}

static int
read_symbols(fj_elf *elf)
{
    for (size_t k = 0; k < elf->n_sections; k++) {
        const Elf64_Shdr *section = &elf->sections[k];
        if (section->sh_type != SHT_SYMTAB) {
            continue;
        }
        if (elf->symbol_section != 0 || section->sh_entsize != sizeof(Elf64_Sym) ||
            section->sh_size % sizeof(Elf64_Sym) != 0) {
            return fj_elf_refuse(elf, "%s is no table of symbols", fj_elf_section_name(elf, k));
        }
        elf->symbol_section = k;
        elf->n_symbols = section->sh_size / sizeof(Elf64_Sym);
        if (read_names(elf, section->sh_link, &elf->symbol_names, &elf->symbol_names_size) < 0) {
            return -1;
        }
    }
    return elf->symbol_section == 0 ? fj_elf_refuse(elf, "there are no %s", "symbols") : 0;
}

/* Return why a section with contents cannot be part of the image; NULL if it can. */
static const char *
why_refused(const Elf64_Shdr *section, const char *name)
{
    if (section->sh_flags & SHF_TLS) {
        return "%s is memory of a thread";
    }
    if (strncmp(name, ".eh_frame", 9) == 0 || strncmp(name, ".gcc_except_table", 17) == 0) {
        return "%s is for exceptions, and kernels raise none";
    }
    if (section->sh_flags & SHF_WRITE) {
        return "%s is memory to write to, and kernels have none of their own";
    }
    if (section->sh_type != SHT_PROGBITS || (section->sh_flags & SHF_COMPRESSED)) {
        return "%s is of a kind that kernels do not have";
    }
    uint64_t step = section->sh_addralign;
    if (step > FJ_CODE_ALIGNMENT || (step & (step - 1)) != 0) {
        return "%s wants to be aligned as nothing is";
    }
    return section->sh_size > MOST ? "%s is too large" : NULL;
}

/* Puts the sections behind each other. */
static int
place_sections(fj_elf *elf)
{
    for (size_t k = 0; k < elf->n_sections; k++) {
        const Elf64_Shdr *section = &elf->sections[k];
        if (section->sh_type == SHT_NULL || !(section->sh_flags & SHF_ALLOC) ||
            section->sh_size == 0) {
            continue;
        }
        const char *name = fj_elf_section_name(elf, k), *why = why_refused(section, name);
        if (why != NULL) {
            return fj_elf_refuse(elf, why, name);
        }
        size_t step = section->sh_addralign > 1 ? section->sh_addralign : 1;
        elf->places[k] = (elf->image + step - 1) / step * step;
        elf->image = elf->places[k] + section->sh_size;
        if (elf->image > MOST) {
            return fj_elf_refuse(elf, "%s is too large", "all of it");
        }
    }
    return 0;
}

/* Finds the function that is called: one with code. */
static int
find_entry(fj_elf *elf, const char *name)
{
    for (size_t k = 1; k < elf->n_symbols; k++) {
        Elf64_Sym symbol = fj_elf_symbol(elf, k);
        size_t in = symbol.st_shndx;
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || in >= elf->n_sections ||
            strcmp(fj_elf_symbol_name(elf, &symbol), name) != 0) {
            continue;
        }
        if (elf->places[in] == FJ_ELF_NOWHERE || !(elf->sections[in].sh_flags & SHF_EXECINSTR) ||
            symbol.st_value >= elf->sections[in].sh_size) {
            break;
        }
        elf->entry = elf->places[in] + symbol.st_value;
        return 0;
    }
    return fj_elf_refuse(elf, "there is no function %s", name);
}

int
fj_elf_open(fj_elf *elf, const unsigned char *bytes, size_t size, const char *symbol)
{
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    Elf64_Ehdr header;
    memset(elf, 0, sizeof(*elf));
    elf->bytes = bytes;
    elf->size = size;
    if (size < sizeof(header)) {
        return fj_elf_refuse(elf, "it is no %s", "object code");
    }
    memcpy(&header, bytes, sizeof(header));
    if (memcmp(bytes, magic, sizeof(magic)) != 0 || header.e_type != ET_REL) {
        return fj_elf_refuse(elf, "it is no %s", "object code");
    }
    if (header.e_machine != FJ_ELF_MACHINE) {
        return fj_elf_refuse(elf, "it is for another %s", "processor");
    }
    if (read_sections(elf, &header) < 0 ||
        read_names(elf, header.e_shstrndx, &elf->section_names, &elf->section_names_size) < 0 ||
        read_symbols(elf) < 0 || place_sections(elf) < 0 || find_entry(elf, symbol) < 0) {
        return -1;
    }
    elf->slots = (elf->image + FJ_ELF_SLOT - 1) / FJ_ELF_SLOT * FJ_ELF_SLOT;
    if (fj_elf_count_slots(elf) < 0) {
        return -1;
    }
    elf->image = elf->n_slots == 0 ? elf->image : elf->slots + elf->n_slots * FJ_ELF_SLOT;
    return elf->image > MOST ? fj_elf_refuse(elf, "%s is too large", "all of it") : 0;
}

void
fj_elf_close(fj_elf *elf)
{
    free(elf->sections);
    free(elf->places);
    elf->sections = NULL;
    elf->places = NULL;
}
