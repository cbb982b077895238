// Names in a scene, each of which must stand for exactly one thing. From the text rather than the Scene, which holds no
// places and lacks the objects that could not be read.
#include <fmt/format.h>
#include <clangor/io/file/file.hpp>
#include <clangor/io/scene/reader.hpp>

#include <algorithm>
#include <map>

namespace clangor::io {
namespace {

using scene::KindRules;

struct Name {
    std::string text;
    Place at;
};

const Json* value_of(const Json* json, std::string_view key) {
    const JsonObject* const object = json ? std::get_if<JsonObject>(&json->value) : nullptr;
    return object ? find(*object, key) : nullptr;
}

const std::string* text_of(const Json* json) { return json ? std::get_if<std::string>(&json->value) : nullptr; }

const JsonArray& items_of(const Json* json) {
    static const JsonArray none;
    const JsonArray* const items = json ? std::get_if<JsonArray>(&json->value) : nullptr;
    return items ? *items : none;
}

// The texts under `key` in each item of a list, where they are texts.
std::vector<Name> names_in(const JsonArray& items, std::string_view key) {
    std::vector<Name> names;
    for (const Json& item : items) {
        const Json* const value = value_of(&item, key);
        if (const std::string* const text = text_of(value)) names.push_back({*text, value->at});
    }
    return names;
}

void report_repeated(const std::vector<Name>& names, std::string_view what, std::vector<Problem>& problems) {
    std::map<std::string_view, int> first_line;
    for (const Name& name : names) {
        const auto [before, is_new] = first_line.try_emplace(name.text, name.at.line);
        if (is_new) continue;
        problems.push_back(
            {name.at, fmt::format("two {} are named \"{}\" (the other at line {}); give each its own name", what,
                                  excerpt(name.text), before->second)});
    }
}

void report_unknown(const std::vector<Name>& names, const std::vector<std::string>& known,
                    std::vector<Problem>& problems) {
    for (const Name& name : names) {
        if (std::ranges::binary_search(known, name.text)) continue;
        const std::string hint = known.empty() ? "" : "; " + suggestion(name.text, known);
        problems.push_back({name.at, fmt::format("no object is named \"{}\"{}", excerpt(name.text), hint)});
    }
}

// Complains about each name that stands for an object of which `reason` gives one.
void report_refused(const std::vector<Name>& names, const JsonArray& objects, std::string KindRules::*reason,
                    std::vector<Problem>& problems) {
    std::map<std::string, std::string> refused;
    for (const Json& object : objects) {
        const std::string* const kind = text_of(value_of(&object, "kind"));
        const std::string* const name = text_of(value_of(&object, "name"));
        for (const KindRules& rules : scene::object_kinds())
            if (kind && name && *kind == rules.kind && !(rules.*reason).empty()) refused[*name] = rules.*reason;
    }
    for (const Name& name : names)
        if (const auto found = refused.find(name.text); found != refused.end())
            problems.push_back({name.at, fmt::format("\"{}\" {}", excerpt(name.text), found->second)});
}

void report_repeated_pairs(const JsonArray& contacts, std::vector<Problem>& problems) {
    std::map<std::pair<std::string, std::string>, int> first_line;
    for (const Json& contact : contacts) {
        const std::string* const object = text_of(value_of(&contact, "object"));
        const std::string* const other = text_of(value_of(&contact, "other"));
        if (!object || !other) continue;
        const auto [before, is_new] = first_line.try_emplace(std::minmax(*object, *other), contact.at.line);
        if (is_new) continue;
        problems.push_back({contact.at, fmt::format("the contact of \"{}\" and \"{}\" is described at line {} already",
                                                    excerpt(*object), excerpt(*other), before->second)});
    }
}

// Rods are struck so far along, everything else at a point.
void report_wrong_places(const JsonArray& strikes, const JsonArray& objects, std::vector<Problem>& problems) {
    std::map<std::string, std::string> kind_of_name;
    for (const Json& object : objects) {
        const std::string* const kind = text_of(value_of(&object, "kind"));
        const std::string* const name = text_of(value_of(&object, "name"));
        if (kind && name) kind_of_name[*name] = *kind;
    }
    for (const Json& strike : strikes) {
        const std::string* const struck = text_of(value_of(&strike, "object"));
        const Json* const at = value_of(&strike, "at");
        const auto named = struck ? kind_of_name.find(*struck) : kind_of_name.end();
        if (named == kind_of_name.end() || !at) continue;
        const bool is_length = std::holds_alternative<JsonNumber>(at->value);
        for (const KindRules& rules : scene::object_kinds()) {
            if (rules.kind != named->second || rules.struck_along == is_length) continue;
            problems.push_back(
                {at->at, rules.struck_along
                             ? fmt::format("\"{}\" is a {}: \"at\" is one number, the length along it in m",
                                           excerpt(*struck), rules.kind)
                             : fmt::format("\"{}\" is a {}: \"at\" is a point [x, y, z] in its own frame",
                                           excerpt(*struck), rules.kind)});
        }
    }
}

}  // namespace

void check_names(const Json& root, std::vector<Problem>& problems) {
    const JsonArray& objects = items_of(value_of(&root, "objects"));
    const JsonArray& listeners = items_of(value_of(&root, "listeners"));
    const JsonArray& contacts = items_of(value_of(value_of(&root, "motion"), "contacts"));
    const std::vector<Name> struck = names_in(items_of(value_of(&root, "strikes")), "object");
    const std::vector<Name> carriers = names_in(listeners, "attached_to");
    report_repeated(names_in(objects, "name"), "objects", problems);
    report_repeated(names_in(listeners, "name"), "listeners", problems);
    report_repeated_pairs(contacts, problems);

    std::vector<std::string> known;
    for (const Name& object : names_in(objects, "name")) known.push_back(object.text);
    std::ranges::sort(known);
    report_unknown(struck, known, problems);
    report_unknown(carriers, known, problems);
    report_unknown(names_in(contacts, "object"), known, problems);
    report_unknown(names_in(contacts, "other"), known, problems);

    report_wrong_places(items_of(value_of(&root, "strikes")), objects, problems);
    report_refused(struck, objects, &KindRules::no_strike, problems);
    report_refused(carriers, objects, &KindRules::no_listener, problems);
}

}  // namespace clangor::io
